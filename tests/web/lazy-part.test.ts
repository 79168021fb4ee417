import './api.fixtures.ts';
import { createElement, Fragment, useLayoutEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** As much of a document as React needs for texts. */
function createContainer() {
  const texts: { data: string }[] = [];
  const document = {
    nodeType: 9,
    addEventListener() {},
    createTextNode: (data: string) => ({ nodeType: 3, data }),
  };
  const remove = (text: { data: string }) => void texts.splice(texts.indexOf(text), 1);
  const container = {
    nodeType: 1,
    nodeName: 'DIV',
    tagName: 'DIV',
    namespaceURI: 'http://www.w3.org/1999/xhtml',
    ownerDocument: document,
    addEventListener() {},
    appendChild: (text: { data: string }) => void texts.push(text),
    insertBefore: (text: { data: string }, next: { data: string }) =>
      void texts.splice(texts.indexOf(next), 0, text),
    removeChild: remove,
  };
  return { container: container as unknown as Element, read: () => texts.map(({ data }) => data) };
}

beforeEach(() => {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('HTMLIFrameElement', class {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a part whose code arrives just before its effect is shown', async () => {
  const { createRoot } = await import('react-dom/client');
  const { lazyPart } = await import('#web/components/lazy-part.tsx');
  const code = Promise.withResolvers<() => string>();
  const Part = lazyPart(() => code.promise);
  const part = (key: string) => createElement(Part, { key, fallback: 'wait' });
  const Arrival = () => {
    useLayoutEffect(() => code.resolve(() => 'part'));
    return null;
  };
  const { container, read } = createContainer();
  const root = createRoot(container);
  root.render(createElement(Fragment, null, part('first')));
  await vi.waitFor(() => expect(read()).toEqual(['wait']));
  root.render(createElement(Fragment, null, part('first'), part('second'), createElement(Arrival)));
  await vi.waitFor(() => expect(read()).toEqual(['part', 'part']));
  root.unmount();
  // React reads the window once more, in a task that it has scheduled before this one.
  await new Promise((resolve) => setImmediate(resolve));
});
