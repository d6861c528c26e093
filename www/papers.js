/** The page of the papers' figures needs no script; this adds filters and the choice of theme. */
import { figures } from './view/figures.js';
import { themeButton } from './view/theme.js';

themeButton();
figures();
