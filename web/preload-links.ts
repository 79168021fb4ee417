import type { Plugin } from 'vite';
import { languages } from '#contract/languages.ts';

/** The main font, which the entry does not name. */
const preloaded = [
  {
    file: /\/inter-latin-(?!ext-)[^/]+\.woff2$/,
    attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true },
  },
];

/** Links in the document, so that these files load together with the entry and not after it. */
export function preloadLinks(): Plugin {
  return {
    name: 'toprung-preload-links',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => ({
        // The document is the same for pages of any depth.
        html: html
          .replaceAll(/(?<=(?:src|href)=")\.\//g, '/')
          .replace(/(?<=<script src="\/head.js")/, nameTexts(Object.keys(bundle))),
        tags: preloaded.map(({ file, attrs }) => ({
          tag: 'link',
          injectTo: 'head',
          attrs: { ...attrs, href: `/${findFile(Object.keys(bundle), file)}` },
        })),
      }),
    },
  };
}

/** Which of them is needed is known by the script that runs first. */
const nameTexts = (files: readonly string[]): string =>
  languages
    .map((name) => ` data-${name}="${findFile(files, new RegExp(`/${name}-[^/]+\\.js$`))}"`)
    .join('');

function findFile(files: readonly string[], form: RegExp): string {
  const [found, ...others] = files.filter((file) => form.test(file));
  if (found === undefined || others.length > 0)
    throw new Error(`${form} does not match exactly one file of the build`);
  return found;
}
