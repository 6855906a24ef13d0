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

/** What other programs' words may hold, whichever field they stand in. */
const NUMBER = /\+\d{6,15}/g
const EMAIL = /[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(\.[\w-]+)+/g
const QUOTED = /"[^"]*"|'[^']*'/g
/** States of PostgreSQL that quote the value they complain about. */
const QUOTING_STATE = /^22/
const CAUSES_MAX = 3

/** `+4551234578` → `+45••••••78`: enough to recognise a number one knows, too little to learn one. */
export function maskNumber(number: string): string {
  if (number.length <= 4) return '•'.repeat(number.length)
  return number.slice(0, 3) + '•'.repeat(Math.max(0, number.length - 5)) + number.slice(-2)
}

/** Somebody else's words without numbers and addresses of people. */
function coverText(text: string): string {
  return text.replace(NUMBER, maskNumber).replace(EMAIL, '[removed]')
}

/**
 * An error as it is logged: what and where, never the data it was about. A database tells whole rows in `detail`, and
 * a parser quotes the text that it could not read.
 */
function coverError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? coverText(error) : typeof error
  const { code, constraint, table, cause } = error as Error & Readonly<Record<string, unknown>>
  const quotes = error instanceof SyntaxError || QUOTING_STATE.test(String(code ?? ''))
  const message = coverText(quotes ? error.message.replace(QUOTED, '"…"') : error.message)
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    ...{ type: error.name, message, stack: frames.join('\n') },
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(typeof table === 'string' && { table }),
    ...(cause !== undefined && depth < CAUSES_MAX && { cause: coverError(cause, depth + 1) }),
  }
}

function coverFields(fields: Record<string, unknown>): Record<string, unknown> {
  const covered = Object.entries(fields).map(([name, value]) => {
    if (value instanceof Error) return [name, coverError(value)]
    return [name, typeof value === 'string' && !NUMBER_FIELDS.includes(name) ? coverText(value) : value]
  })
  return Object.fromEntries(covered)
}

/** A JSON-lines log (pino). Numbers are masked and secrets removed by field name, also one level down. */
export function makeLog(level: string, destination?: DestinationStream): Log {
  const atBothLevels = (fields: readonly string[]) => fields.flatMap((field) => [field, `*.${field}`])
  const options = {
    level,
    base: null,
    formatters: { log: coverFields },
    serializers: { err: (error: unknown) => error },
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
