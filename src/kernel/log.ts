import { type DestinationStream, type Logger, pino } from 'pino'

/** The logger of all rooms. Texts are fixed sentences; values go into fields, where they can be masked. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>

/** Fields that never reach a log: pino removes their values at the top and one level down. */
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

/** Fields with a telephone number; most of it is masked in the log. */
const NUMBER_FIELDS = ['caller', 'to', 'from', 'number']

/** Fields with a number of ours: an operator looks for it in the configuration. */
const OUR_NUMBER_FIELDS = ['called']

/** Numbers inside texts from other programs. */
const NUMBER = /\+\d{6,15}/g
const EMAIL = /[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(\.[\w-]+)+/g
const QUOTED = /"[^"]*"|'[^']*'/g
/** PostgreSQL error classes that quote the offending value. */
const QUOTING_STATE = /^22/
const CAUSES_MAX = 3

/** `+4551234578` → `+45••••••78`: enough to recognise a known number, too little to learn one. */
export function maskNumber(number: string): string {
  if (number.length <= 4) return '•'.repeat(number.length)
  return number.slice(0, 3) + '•'.repeat(Math.max(0, number.length - 5)) + number.slice(-2)
}

/** A text from another program without telephone numbers and email addresses. */
function coverText(text: string): string {
  return text.replace(NUMBER, maskNumber).replace(EMAIL, '[removed]')
}

/** An error for the log without its data: databases put rows into `detail`, parsers quote what they could not parse. */
function coverError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? coverText(error) : typeof error
  const { code, constraint, table, cause } = error as Error & Readonly<Record<string, unknown>>
  const quotes = error instanceof SyntaxError || QUOTING_STATE.test(String(code ?? ''))
  const message = coverText(quotes ? error.message.replace(QUOTED, '"…"') : error.message)
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message,
    stack: frames.join('\n'),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(typeof table === 'string' && { table }),
    ...(cause !== undefined && depth < CAUSES_MAX && { cause: coverError(cause, depth + 1) }),
  }
}

function coverFields(fields: Record<string, unknown>): Record<string, unknown> {
  const covered = Object.entries(fields).map(([name, value]) => {
    if (value instanceof Error) return [name, coverError(value)]
    const isPlain = NUMBER_FIELDS.includes(name) || OUR_NUMBER_FIELDS.includes(name)
    return [name, typeof value === 'string' && !isPlain ? coverText(value) : value]
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

/** A log without output: for benchmarks, and for worlds, where the journal tells what happened. */
export const silentLog: Log = pino({ level: 'silent' })
