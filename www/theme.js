// Runs before the first paint, so that a chosen theme does not flash; the rest is view/theme.js.
{
  let theme = null;
  try {
    theme = localStorage.getItem('theme');
  } catch {
    // Storage may be denied: the system's theme then holds.
  }
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
  }
  document.documentElement.classList.add('script');
}
