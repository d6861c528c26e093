/** The page of the papers' figures needs no script; this adds the choice of its theme. */
import { byId } from './dom.js';
import { themeButton } from './view/theme.js';

themeButton();
byId('theme').hidden = false;
