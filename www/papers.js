/** The page of the papers' figures needs no script; this adds its filters and the choice of its theme. */
import { figures } from './view/figures.js';
import { themeButton } from './view/theme.js';

themeButton();
figures();
