/** The page of what changed needs no script; this adds the choice of its theme. */
import { themeButton } from './view/theme.js';

themeButton();
