// Runs before the first paint, so that neither the theme, dismissed cards nor what is around an embedded
// part flash; the rest is view/theme.ts and view/landing.ts.
{
  let theme = null;
  // A visitor with a link comes for its scenario.
  let visited = location.hash.length > 1;
  try {
    theme = localStorage.getItem('theme');
    visited ||= localStorage.getItem('visited') !== null;
  } catch {
    // Storage may be denied: the system's theme then holds.
  }
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
  }
  const embedded = new URLSearchParams(location.search).get('embed');
  if (embedded !== null)
    Object.assign(document.documentElement.dataset, { embed: embedded, compact: '' });
  document.documentElement.classList.add('script');
  document.documentElement.classList.toggle('visited', visited);
}
