import './api.fixtures.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { readTree } from '#scripts/rules/source-tree.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const { i18next } = await import('#web/i18n.ts');
const { formatSubject } = await import('#web/pages/settings/format-audit.ts');

/** The words that the server writes before an id, or alone. */
const listKinds = (): string[] => {
  const texts = readTree()
    .filter(({ path, text }) => path.startsWith('src/') && /\bwriteAudit\w*\(/.test(text))
    .map(({ text }) => text);
  const statements = texts.flatMap((text) => text.match(/\bsubject(?::| =)[^;,}]+/g) ?? []);
  const written = statements.flatMap((statement) => [
    ...statement.matchAll(/`(\w+) \$\{|'(\w+)'/g),
  ]);
  return [...new Set(written.flatMap(([, withId, alone]) => withId ?? alone ?? []))];
};

afterEach(() => vi.restoreAllMocks());

test('every kind of subject in the audit log has a name', () => {
  vi.spyOn(i18next, 't').mockImplementation(((key: string) => key) as never);
  const kinds = listKinds();
  expect(kinds).toEqual(expect.arrayContaining(['app', 'keyword', 'popularity', 'report']));
  expect(kinds.map((kind) => formatSubject(`${kind} 12`))).toEqual(
    kinds.map((kind) => `audit.on.${kind} 12`),
  );
});
