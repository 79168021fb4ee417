import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { root } from '../rules/source-tree.ts';

/** The server in a process of its own, so that a changed source loads everything again. */
export class ServerProcess {
  #environment: Record<string, string>;
  #child: ChildProcess | null = null;
  #isStopping = false;
  #restarting = Promise.resolve();

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  /** Resolves when the server is up, or has failed and waits for the next change. */
  async start(): Promise<void> {
    // A process group of its own: Ctrl-C in the terminal must reach the server once, through us.
    const child = spawn(process.execPath, [`${root}scripts/dev/serve.ts`], {
      detached: true,
      stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...this.#environment },
    });
    this.#child = child;
    child.once('exit', (code) => {
      if (this.#child === child) this.#child = null;
      if (!this.#isStopping && code !== 0)
        console.log(`The server ended with ${code}; it starts again with the next change.`);
    });
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
  }

  /** Several changes during a start lead to one more start after it. */
  restart(): Promise<void> {
    this.#restarting = this.#restarting.then(async () => {
      if (this.#isStopping) return;
      await this.#end();
      if (!this.#isStopping) await this.start();
    });
    return this.#restarting;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
}
