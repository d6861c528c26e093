export const themeTexts = { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' };
