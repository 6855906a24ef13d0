/** How long the engine's process stands still while the worst emails are read: they are read in another one. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { MailReaderProcess } from '../src/adapters/mail/mail-reader.ts'
import { RealClock } from '../src/kernel/clock.ts'
import { email, HEAD, multipart, nested, withFile } from '../test/adapters/mail/ugly-mails.ts'
import type { Benchmark } from './benchmark.ts'

const HTML = 'Content-Type: text/html'
const MEBIBYTE = 1024 * 1024

/** Each of a kind that has stopped a mail program, as large as mailboxes let it be. */
const WORST: readonly (readonly [what: string, raw: () => Buffer])[] = [
  ['24 MiB of HTML', () => email(...HEAD, HTML, '', '<div class="x">a</div>'.repeat(1_100_000))],
  ['HTML, 100,000 tags deep', () => email(...HEAD, HTML, '', '<b>'.repeat(100_000))],
  ['a line of 20 MiB', () => email(...HEAD, '', 'x'.repeat(20 * MEBIBYTE))],
  ['a file of 18 MiB', () => withFile(18 * MEBIBYTE)],
  ['2,000 nested parts', () => nested(2_000)],
  ['20,000 parts', () => email(...HEAD, ...multipart('p', ...Array.from({ length: 20_000 }, () => ['', 'a'])))],
  ['100,000 recipients', () => email(...HEAD, `Cc: ${'a@debtor.example, '.repeat(100_000)}b@debtor.example`, '', '')],
  ['an encoded subject of 4 MiB', () => email(`Subject: ${'=?utf-8?Q?=C3=B8?= '.repeat(220_000)}`, ...HEAD, '', '')],
]

/** Bars: issue "Safe in other people's hands", point 13. */
export const mails: Benchmark = {
  name: 'mails',
  about: 'the delay of the event loop while the worst emails are read',
  defaults: { rounds: 5 },
  async run({ rounds }, { onLine }) {
    const reader = new MailReaderProcess(new RealClock())
    await reader.read(email(...HEAD, '', 'the process is started'))
    // Made beforehand: building one takes this process as well.
    const corpus = WORST.map(([what, raw]) => [what, raw()] as const)
    const rows: string[][] = []
    const all = monitorEventLoopDelay({ resolution: 1 })
    all.enable()
    for (const [what, bytes] of corpus) {
      const one = monitorEventLoopDelay({ resolution: 1 })
      const startedAtMs = performance.now()
      one.enable()
      let trouble: string | undefined
      for (let round = 0; round < rounds; round++) trouble = (await reader.read(bytes)).trouble
      one.disable()
      const readMs = (performance.now() - startedAtMs) / rounds
      const delays = [one.percentile(99), one.max].map((ns) => `${(ns / 1e6).toFixed(1)} ms`)
      rows.push([what, (bytes.length / MEBIBYTE).toFixed(1), `${readMs.toFixed(0)} ms`, ...delays, trouble ?? 'read'])
      onLine(rows.at(-1)!.join(', '))
    }
    all.disable()
    reader.close()
    return {
      bars: [
        { what: 'delay of the loop, p99', measured: all.percentile(99) / 1e6, unit: 'ms', limit: { atMost: 20 } },
        { what: 'longest delay of the loop', measured: all.max / 1e6, unit: 'ms', limit: { atMost: 100 } },
      ],
      tables: [{ head: ['email', 'MiB', 'reading', 'delay p99', 'longest', 'what became of it'], rows }],
      notes: [
        `Each email ${rounds} times, by the process that reads all emails. Delays are those of the process ` +
          'that asks, which also serves calls; its timer looks every millisecond.',
      ],
    }
  },
}
