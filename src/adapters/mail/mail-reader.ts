/** Emails are read in a process of their own: the worst takes seconds of computing, and calls go on meanwhile. */
import { type ChildProcess, fork } from 'node:child_process'
import type { Clock } from '../../kernel/clock.ts'
import type { ReadMail } from '../../ports/mail.ts'
import { bareMail } from './parse-mail.ts'

/** Reads emails, one at a time. */
export interface MailReader {
  /** Of what cannot be read, the whole email is a file. Rejects when nothing can read now: the sender must retry. */
  read(raw: Buffer): Promise<ReadMail>
}

const SCRIPT = new URL('./mail-reader-process.ts', import.meta.url)
const MEMORY_MB = 512
/** The process gives up before; later it hangs. */
const TIME_MAX_MS = 30_000

/** It is started with the first email, lives on, and is replaced when an email ends it. */
export class MailReaderProcess implements MailReader {
  readonly #clock: Clock
  #child: ChildProcess | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async read(raw: Buffer): Promise<ReadMail> {
    const child = this.#child ?? (await this.#start())
    const timer = this.#clock.schedule(this.#clock.nowMs() + TIME_MAX_MS, () => child.kill('SIGKILL'))
    try {
      return (await answerOf(child, raw)) ?? bareMail(raw, 'it took too much time or memory')
    } finally {
      timer.cancel()
    }
  }

  close(): void {
    this.#child?.kill('SIGKILL')
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(SCRIPT, {
      execArgv: [`--max-old-space-size=${MEMORY_MB}`],
      serialization: 'advanced',
      // It gets no secrets, and prints nothing.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // Node gives no process id where it started nothing, such as without free descriptors. It says why right after.
    if (child.pid === undefined) throw await new Promise((resolve) => child.once('error', resolve))
    this.#child = child
    // Without its channel it is of no more use, and not every error is followed by an exit.
    const ended = () => {
      if (this.#child === child) this.#child = undefined
    }
    child.once('exit', ended).once('disconnect', ended).on('error', ended)
    // The service may end before it.
    child.unref()
    child.channel?.unref()
    return child
  }
}

/** Undefined if the process ends before. */
function answerOf(child: ChildProcess, raw: Buffer): Promise<ReadMail | undefined> {
  return new Promise((resolve) => {
    const done = (mail?: ReadMail) => {
      child.off('message', done).off('exit', ended).off('disconnect', ended).off('error', ended)
      resolve(mail)
    }
    const ended = () => done()
    child.on('message', done).once('exit', ended).once('disconnect', ended).once('error', ended)
    child.send(raw, (error) => error && ended())
  })
}
