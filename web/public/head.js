// Runs before the first paint, so that a dark page never flashes white, and before the entry, so
// that its texts load beside it. It is a separate file because the CSP forbids inline scripts.
(function () {
  function readStored(key) {
    try {
      return localStorage.getItem(key);
    } catch (error) {
      // Storage may be blocked: the system's wishes are followed.
      return null;
    }
  }
  var scheme = readStored('toprung.color-scheme') || 'auto';
  var dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // Title, remedy and button of a page whose files could not be loaded.
  var failures = {
    en: [
      'Toprung could not be loaded',
      'Check your connection and whether the server is running, then reload the page.',
      'Reload',
    ],
    de: [
      'Toprung konnte nicht geladen werden',
      'Prüfen Sie Ihre Verbindung und ob der Server läuft, und laden Sie die Seite neu.',
      'Neu laden',
    ],
    ja: [
      'Toprungを読み込めませんでした',
      '接続とサーバーの稼働状況を確認し、ページを再読み込みしてください。',
      '再読み込み',
    ],
  };

  // The language is chosen as by src/i18n.ts.
  var language = [String(readStored('toprung.language')).replace(/"/g, '')]
    .concat(navigator.languages, 'en')
    .map(function (tag) {
      return tag.split('-')[0].toLowerCase();
    })
    .filter(function (tag) {
      return tag in failures;
    })[0];

  // The build notes the file of each language here.
  var script = document.currentScript;
  var file = script.dataset[language];
  if (file) {
    var link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = new URL(file, script.src).href;
    document.head.append(link);
  }

  function create(name, text) {
    var element = document.createElement(name);
    element.textContent = text;
    return element;
  }
  // The texts of the dashboard may be among the files that are missing.
  function showFailure() {
    var starting = document.querySelector('#root > p.starting');
    if (!starting) return;
    var texts = failures[language];
    var failure = create('div', '');
    failure.setAttribute('role', 'alert');
    failure.append(create('h1', texts[0]), create('p', texts[1]));
    var button = create('button', texts[2]);
    button.type = 'button';
    button.onclick = function () {
      location.reload();
    };
    var main = create('main', '');
    main.className = 'starting';
    main.append(failure, button);
    document.documentElement.lang = language;
    starting.replaceWith(main);
  }
  // Files that fail to load are seen on the way down only.
  addEventListener(
    'error',
    function (event) {
      if (event.target === window || event.target.localName === 'script') showFailure();
    },
    true,
  );
})();
