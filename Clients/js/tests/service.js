// Runs the service as a process, for tests that need the real one.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const BINARY = process.env.SPRINGBAR_BINARY ?? new URL('../../../.build/debug/springbar', import.meta.url).pathname;

/** Starts a process that listens on `port`, or on a free one. */
export class Service {
  static async start(port = 0) {
    const service = new Service();
    const arguments_ = ['serve', '--port', String(port), '--log-format', 'json', '--log-level', 'notice'];
    service.process = spawn(BINARY, arguments_, { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
    const lines = ['stdout', 'stderr'].map((name) => createInterface({ input: service.process[name] }));
    service.port = await new Promise((resolve, reject) => {
      const log = [];
      service.process.once('exit', () => reject(new Error(`it ended before it listened:\n${log.join('\n')}`)));
      for (const input of lines) {
        input.on('line', (line) => {
          log.push(line);
          const record = line.startsWith('{') ? JSON.parse(line) : {};
          if (record.message === 'listening') resolve(record.port);
        });
      }
    });
    service.process.removeAllListeners('exit');
    return service;
  }

  get base() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Kills the process, or terminates it with SIGTERM. */
  async stop(signal = 'SIGTERM') {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const over = once(this.process, 'exit');
    this.process.kill(signal);
    await over;
  }
}
