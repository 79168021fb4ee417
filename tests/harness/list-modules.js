// Loaded with --import: writes the address of each module that a process loads to LOADED_MODULES.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const path = process.env.LOADED_MODULES ?? '';
// Its own children are other programs.
delete process.env.NODE_OPTIONS;

registerHooks({
  load: (url, context, next) => {
    appendFileSync(path, `${url}\n`);
    return next(url, context);
  },
});
