/** The page of changes needs no script; this adds the choice of its theme. */
import { themeButton } from './view/theme.ts';

themeButton();
