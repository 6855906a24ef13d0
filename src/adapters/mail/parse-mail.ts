/** Parses an untrusted email within limits. Parts that cannot be read are stored as a file, so no content is lost. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type ParsedMail, simpleParser } from 'mailparser'
import type { Clock } from '../../kernel/clock.ts'
import { undeliveredIn } from '../../mail-format/delivery-report.ts'
import { plainAddress } from '../../mail-format/mail-address.ts'
import { readMessageId, readMessageIds } from '../../mail-format/message-id.ts'
import { MAIL_TAGS, safeHtml, textOfHtml } from '../../mail-format/safe-html.ts'
import { type MailFile, type MailParty, RECIPIENTS_MAX, type ReadMail, SUBJECT_LETTERS_MAX } from '../../ports/mail.ts'
import { filesOf } from './attachments.ts'
import { isTorn, mendLetters } from './mend-letters.ts'

/** An email of the largest size takes a second; longer times point to an attack. */
const TIME_MAX_MS = 20_000
/** Between two pieces other work gets its turn. */
const PIECE_BYTES = 256 * 1024
const HEAD_BYTES_MAX = 256 * 1024
const PARTS_MAX = 500
const HTML_LETTERS_MAX = 1_000_000
const NAME_LETTERS_MAX = 200
const HEADERS_MAX = 500
const HEADER_LETTERS_MAX = 2_000
const RESULTS_MAX = 20
/** A report is about one email. Each id is searched among all emails, and a stranger writes them. */
const REPORTED_MAX = 5
/** Mending takes five times as long as reading, and other emails wait: a larger one is kept whole instead. */
const MENDED_BYTES_MAX = 2 * 1024 * 1024

/** Parses these bytes. Never throws. */
export async function readMail(raw: Buffer, clock: Clock): Promise<ReadMail> {
  try {
    const { bytes, parsed } = await inWholeLines(raw, clock)
    if (isLost(parsed, bytes)) return unreadable(raw, 'no part of it could be found', clock)
    if (raw.length > MENDED_BYTES_MAX || !isTorn(wordsOf(parsed))) return mailOf(raw, parsed)
    return mailOf(raw, await parse(await mendLetters(bytes, OPTIONS), clock))
  } catch (error) {
    return unreadable(raw, error instanceof Error ? error.message : String(error), clock)
  }
}

const OPTIONS = {
  skipHtmlToText: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepCidLinks: true,
  maxHeadSize: HEAD_BYTES_MAX,
  maxChildNodes: PARTS_MAX,
}

/** In pieces, yielding between them, and with a time limit. */
async function parse(raw: Buffer, clock: Clock): Promise<ParsedMail> {
  const endAtMs = clock.nowMs() + TIME_MAX_MS
  const tooSlow = () => new Error('reading it took too long')
  async function* pieces() {
    for (let from = 0; from < raw.length; from += PIECE_BYTES) {
      if (clock.nowMs() > endAtMs) throw tooSlow()
      await new Promise<void>((resolve) => clock.schedule(clock.nowMs(), resolve))
      yield raw.subarray(from, from + PIECE_BYTES)
    }
  }
  let timer: ReturnType<Clock['schedule']> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = clock.schedule(endAtMs, () => reject(tooSlow()))
  })
  try {
    return await Promise.race([simpleParser(Readable.from(pieces(), { objectMode: false }), OPTIONS), late])
  } finally {
    timer?.cancel()
  }
}

/** For the library, lines that end with CR alone or with CR CR LF are none: such an email has neither head nor body. */
async function inWholeLines(raw: Buffer, clock: Clock) {
  const parsed = await parse(raw, clock)
  if (!isLost(parsed, raw)) return { bytes: raw, parsed }
  const bytes = Buffer.from(raw.toString('latin1').replaceAll(/\r{0,3}\n|\r/g, '\r\n'), 'latin1')
  return { bytes, parsed: await parse(bytes, clock) }
}

/** There are words, and none was found. */
function isLost(parsed: ParsedMail, raw: Buffer): boolean {
  return isNothing(parsed) && hasBody(raw)
}

/** Text before the first boundary, or within ambiguous boundaries, belongs to no part. */
function isNothing({ text, html, attachments }: ParsedMail): boolean {
  return !text?.trim() && !html && attachments.length === 0
}

function hasBody(raw: Buffer): boolean {
  const begin = raw.subarray(0, 2 * HEAD_BYTES_MAX).toString('latin1')
  const end = begin.search(/\r{0,3}\n\r{0,3}\n|\r\r(?!\n)/)
  return end >= 0 && /\S/.test(begin.slice(end))
}

/** What a person reads of it. */
function wordsOf({ text, html, subject, from, to, cc }: ParsedMail): string {
  const names = [from, to, cc].flatMap(entriesOf).map(({ name, address }) => `${name}${address}`)
  return [text ?? '', html || '', subject ?? '', ...names].join('\n')
}

/** HTML without alternative has the words of all parts; the others lack those of the HTML. */
function textOf(plain: string | undefined, html: string): string {
  if (!plain?.trim()) return textOfHtml(html)
  const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const whole = textOfHtml(html)
  const [some, all] = [words(plain), words(whole)]
  return all.length > some.length && plain.split(/\n/).every((line) => all.includes(words(line))) ? whole : plain
}

function mailOf(raw: Buffer, parsed: ParsedMail): ReadMail {
  const headers = headersOf(parsed)
  const given = typeof parsed.html === 'string' ? parsed.html : undefined
  const isLong = given !== undefined && given.length > HTML_LETTERS_MAX
  const html = given === undefined ? undefined : safeHtml(given.slice(0, HTML_LETTERS_MAX), MAIL_TAGS)
  const text = textOf(parsed.text, (given ?? '').slice(0, HTML_LETTERS_MAX))
  const files = filesOf(parsed.attachments, html ?? '')
  const trouble =
    files === undefined
      ? 'it has too many files'
      : isLong
        ? 'its HTML is too long'
        : hasTornAddress(parsed)
          ? 'an address could not be read'
          : wordsOf(parsed).includes('\uFFFD')
            ? 'letters of it could not be read'
            : undefined
  const whole = trouble === undefined ? [] : [wholeEmail(raw)]
  return complete(raw, {
    headers,
    authenticationResults: authenticationResultsOf(parsed),
    html,
    text,
    files: [...(files ?? []), ...whole],
    trouble,
    from: partiesOf(parsed.from)[0],
    to: partiesOf(parsed.to).slice(0, RECIPIENTS_MAX),
    cc: partiesOf(parsed.cc).slice(0, RECIPIENTS_MAX),
    subject: oneLine(parsed.subject ?? '').slice(0, SUBJECT_LETTERS_MAX),
    dateAtMs: instantOf(headers.get('date')),
  })
}

/** Nothing of it but the whole email as a file. */
export function bareMail(raw: Buffer, why: string): ReadMail {
  const empty = { attachments: [], headers: new Map(), headerLines: [], html: false } as unknown as ParsedMail
  const { files: _, ...rest } = mailOf(raw, empty)
  const text = `This email could not be read (${why}). It is attached as it came.`
  return { ...rest, text, html: undefined, files: [wholeEmail(raw)], trouble: why }
}

/** The header, if it can be read, and the whole email as a file. */
async function unreadable(raw: Buffer, why: string, clock: Clock): Promise<ReadMail> {
  const begin = raw.subarray(0, HEAD_BYTES_MAX / 4).toString('latin1')
  const end = begin.search(/\r?\n\r?\n/)
  const head = begin.slice(0, Math.max(0, end))
  const bare = head.replaceAll(/^content-[^\n]*\n([ \t][^\n]*\n)*/gim, '')
  const parsed = await parse(Buffer.from(`${bare.trimEnd()}\r\n\r\n`, 'latin1'), clock).catch(() => undefined)
  const plain = bareMail(raw, why)
  if (!parsed) return plain
  const { text, html, files, trouble } = plain
  return { ...mailOf(raw, parsed), text, html, files, trouble }
}

type Partly = Omit<ReadMail, 'messageId' | 'inReplyTo' | 'references' | 'report' | 'sizeBytes' | 'fingerprint'>

function complete(raw: Buffer, mail: Partly): ReadMail {
  const { headers } = mail
  const messageId = readMessageId(headers.get('message-id'))
  const references = readMessageIds(headers.get('references') ?? '')
  const isReport = /^multipart\/report\b/i.test(headers.get('content-type') ?? '')
  const reported = isReport ? reportedIds(raw, messageId) : []
  const inReplyTo = readMessageIds(headers.get('in-reply-to') ?? '')
  const undelivered = isReport ? undeliveredIn(reportText(mail)) : []
  const about = reported.length > 0 ? reported : inReplyTo
  const fingerprint = createHash('sha256')
  fingerprint.update(JSON.stringify([messageId, mail.from, mail.dateAtMs, mail.subject, mail.text, mail.html]))
  for (const { bytes } of mail.files) fingerprint.update(createHash('sha256').update(bytes).digest())
  return {
    ...mail,
    messageId,
    inReplyTo,
    references: [...references, ...reported],
    report: undelivered.length > 0 ? { about, undelivered } : undefined,
    sizeBytes: raw.length,
    fingerprint: fingerprint.digest('hex'),
  }
}

/** The library reads a machine-readable report as text, unless its sender made a file of it. */
function reportText({ text, files }: Partly): string {
  const parts = files.filter(({ mimeType }) => /^message\/(global-)?delivery-status$/.test(mimeType))
  const bytes = parts.map((part) => part.bytes.subarray(0, HEAD_BYTES_MAX))
  return [text.slice(0, HEAD_BYTES_MAX), ...bytes.map((some) => Buffer.from(some).toString('utf8'))].join('\n\n')
}

/** A non-delivery report belongs to the email it is about: it contains that email's header. */
function reportedIds(raw: Buffer, own: string | undefined): string[] {
  const text = raw.subarray(0, HEAD_BYTES_MAX).toString('latin1')
  const lines = [...text.matchAll(/^message-id:[ \t]*(?:\r?\n[ \t]+)?(<[^<>\s]{1,500}>)/gim)]
  const ids = new Set(lines.flatMap(([, id = '']) => readMessageIds(id)).filter((id) => id !== own))
  return [...ids].slice(0, REPORTED_MAX)
}

/** Unfolded; the first of each name. */
function headersOf({ headerLines }: ParsedMail): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const { key, line } of headerLines.slice(0, HEADERS_MAX)) {
    const value = oneLine(line.slice(line.indexOf(':') + 1))
    // There may be many ids.
    const lettersMax = key === 'references' ? HEAD_BYTES_MAX : HEADER_LETTERS_MAX
    if (!headers.has(key)) headers.set(key, value.slice(0, lettersMax))
  }
  return headers
}

/** None of several senders: nobody knows which was checked, and anybody may add one (RFC 7489 section 6.6.1). */
function authenticationResultsOf({ headerLines, from }: ParsedMail): readonly string[] {
  if (headerLines.filter(({ key }) => key === 'from').length > 1 || entriesOf(from).length > 1) return []
  const lines = headerLines.slice(0, HEADERS_MAX).filter(({ key }) => key === 'authentication-results')
  return lines
    .slice(0, RESULTS_MAX)
    .map(({ line }) => oneLine(line.slice(line.indexOf(':') + 1)).slice(0, HEADER_LETTERS_MAX))
}

type Given = ParsedMail['to']

/** The members of a group one by one. */
const entriesOf = (given: Given) =>
  [given ?? []].flat().flatMap(({ value }) => value.flatMap((entry) => entry.group ?? [entry]))

/** All parties with an address. */
function partiesOf(given: Given): MailParty[] {
  return entriesOf(given).flatMap(({ address, name }) => {
    const plain = plainAddress(address ?? '')
    return plain === undefined ? [] : [{ address: plain, name: oneLine(name ?? '').slice(0, NAME_LETTERS_MAX) }]
  })
}

/** An encoded word in a broken charset: the address cannot be told. */
function hasTornAddress({ from, to, cc }: ParsedMail): boolean {
  const entries = [from, to, cc].flatMap(entriesOf).filter(({ address }) => plainAddress(address ?? '') === undefined)
  return entries.some(
    ({ address = '', name = '' }) => name + address === '' || /[\p{Cc}\p{Cs}\uFFFD]/u.test(name + address),
  )
}

/** The library takes the time of reading for a date that it cannot read. The same email must always read the same. */
function instantOf(date: string | undefined): number | undefined {
  const atMs = Date.parse(date ?? '')
  // RFC 5322 has years of four digits; a reply could not contain other dates.
  return Number.isNaN(atMs) || atMs < 0 || atMs > 253_402_300_799_999 ? undefined : atMs
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function wholeEmail(raw: Buffer): MailFile {
  return { kind: 'attachment', fileName: 'email.eml', mimeType: 'message/rfc822', bytes: raw }
}
