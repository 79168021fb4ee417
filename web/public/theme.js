// Runs before the first paint, so that a dark page never flashes white. It is a separate file
// because the CSP forbids inline scripts.
(function () {
  var scheme = 'auto';
  try {
    scheme = localStorage.getItem('toprung.color-scheme') || 'auto';
  } catch (error) {
    // Storage may be blocked: the system's wish is followed.
  }
  var dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
