import { type DestinationStream, type Logger, pino } from 'pino'

/** What the rooms may log with. Texts are fixed sentences; values go into fields, so that they can be masked. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>

/** Fields that never reach a log: pino removes their values wherever they stand, up to two levels deep. */
const SECRET_FIELDS = [
  'password',
  'token',
  'secret',
  'auth',
  'authorization',
  'Authorization',
  'text',
  'body',
  'digits',
]

/** Fields that hold a telephone number and are logged with most of it covered. */
const NUMBER_FIELDS = ['caller', 'called', 'to', 'from', 'number']

/** `+4551234578` → `+45••••••78`: enough to recognise a number one knows, too little to learn one. */
export function maskNumber(number: string): string {
  if (number.length <= 4) return '•'.repeat(number.length)
  return number.slice(0, 3) + '•'.repeat(Math.max(0, number.length - 5)) + number.slice(-2)
}

/** A JSON-lines log (pino). Numbers are masked and secrets removed by field name, also one level down. */
export function makeLog(level: string, destination?: DestinationStream): Log {
  const atBothLevels = (fields: readonly string[]) => fields.flatMap((field) => [field, `*.${field}`])
  const options = {
    level,
    base: null,
    redact: {
      paths: atBothLevels([...SECRET_FIELDS, ...NUMBER_FIELDS]),
      censor: (value: unknown, path: string[]) =>
        NUMBER_FIELDS.includes(path.at(-1) ?? '') ? maskNumber(String(value)) : '[removed]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** A log that keeps silent: for benchmarks, and for worlds whose story is told by the journal. */
export const silentLog: Log = pino({ level: 'silent' })
