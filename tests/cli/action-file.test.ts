import { readFile } from 'node:fs/promises';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { expect, test } from 'vitest';

const readAction = () => readFile(new URL('../../action.yml', import.meta.url), 'utf8');

test('the action validator has nothing to report about action.yml', async () => {
  expect(validateAction(await readAction())).toEqual({ actionType: 'action', errors: [] });
});

test('the action validator refuses an action with an unknown kind of run', async () => {
  const broken = (await readAction()).replace('using: composite', 'using: shell');
  expect(validateAction(broken).errors).not.toEqual([]);
});

test('the workflow of the documents is valid', async () => {
  const page = await readFile(new URL('../../docs/listing-files.md', import.meta.url), 'utf8');
  const workflows = [...page.matchAll(/```yaml\n([^`]*\n)```/g)]
    .map(([, text]) => text!)
    .filter((text) => /^on:/m.test(text));
  expect(workflows.length).toBeGreaterThan(0);
  for (const text of workflows) expect(validateWorkflow(text).errors).toEqual([]);
});
