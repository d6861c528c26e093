/** The page of the papers' figures needs no script; this adds filters and the choice of theme. */
import { figures } from './view/figures.ts';
import { themeButton } from './view/theme.ts';

themeButton();
figures();
