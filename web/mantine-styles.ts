import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const list = fileURLToPath(new URL('./src/styles/mantine.css', import.meta.url));
const forms = {
  component: /^@import '@mantine\/core\/styles\/([A-Z]\w+)\.css';$/gm,
  module: /\/@mantine\/core\/esm\/(?:components|utils)\/\w+\/(\w+)\.module\.mjs$/,
};

/**
 * In a build, the styles of a component of the library load with the component. Its own imports
 * come first, and the library comes before the code that uses it, so the order of the list holds
 * within a file. Rules of the first files about components that load later need more specificity.
 */
export function mantineStyles(): Plugin {
  const text = readFileSync(list, 'utf8');
  const components = new Set([...text.matchAll(forms.component)].map((match) => match[1]));
  return {
    name: 'toprung-mantine-styles',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (id === list) return code.replaceAll(forms.component, '');
      const name = forms.module.exec(id)?.[1];
      if (name === undefined || !components.has(name)) return undefined;
      return `import '@mantine/core/styles/${name}.css';\n${code}`;
    },
  };
}
