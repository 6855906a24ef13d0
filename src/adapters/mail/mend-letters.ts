/** Emails whose programs did not say, or said falsely, in which characters they are written. */
import { pipeline } from 'node:stream/promises'
import { TextDecoder } from 'node:util'
import { Joiner, type MimeNode, Rewriter, Splitter } from '@zone-eu/mailsplit'

/** Within it a page names its charset (HTML Standard section 13.2.3.2). */
const META_BYTES_MAX = 1_024
const META = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-z0-9_:.-]{1,40})/i
/** Wrong on many servers: what they call so is whatever was typed. */
const DEFAULTS = new Set(['', 'ascii', 'us-ascii', 'utf-8', 'utf8'])

/** Something of it was read in the wrong charset: letters are lost, or those of a charset with shifts are left. */
export function isTorn(text: string): boolean {
  return text.includes('\uFFFD') || text.includes('\u001b')
}

/** The same email in UTF-8, as far as its charsets can be told. */
export async function mendLetters(
  raw: Buffer,
  limits: { readonly maxHeadSize: number; readonly maxChildNodes: number },
) {
  const rewriter = new Rewriter(isText)
  rewriter.on('node', ({ node, decoder, encoder }) => {
    const charset = node.charset
    const type = node.contentType
    node.setCharset('utf-8')
    const pieces: Buffer[] = []
    decoder.on('data', (piece: Buffer) => pieces.push(piece))
    decoder.on('end', () => encoder.end(inUtf8(Buffer.concat(pieces), String(charset || ''), type === 'text/html')))
  })
  const joined: Buffer[] = []
  await pipeline(
    headInUtf8(raw),
    new Splitter(limits),
    rewriter,
    new Joiner(),
    async (source: AsyncIterable<Buffer>) => {
      for await (const piece of source) joined.push(piece)
    },
  )
  return Buffer.concat(joined)
}

/** No file: a file keeps its bytes. */
function isText({ contentType, multipart, disposition, filename }: MimeNode): boolean {
  const isOfText = !contentType || contentType === 'text/plain' || contentType === 'text/html'
  return isOfText && !multipart && disposition !== 'attachment' && !filename
}

async function* headInUtf8(raw: Buffer): AsyncGenerator<Buffer> {
  const end = /\r?\n\r?\n/.exec(raw.toString('latin1'))?.index ?? raw.length
  yield Buffer.from(inUtf8(raw.subarray(0, end), '', false))
  yield raw.subarray(end)
}

/** By what the part says, what its page says, its bytes, and else by what most programs in Europe wrote. */
function inUtf8(bytes: Buffer, charset: string, isHtml: boolean): string {
  const said = charset.toLowerCase()
  const isSaid = !DEFAULTS.has(said) && decoderOf(said)
  const page = isHtml ? META.exec(bytes.subarray(0, META_BYTES_MAX).toString('latin1'))?.[1]?.toLowerCase() : undefined
  const named = isSaid ? said : page !== undefined && !DEFAULTS.has(page) ? page : undefined
  const text = bytes.toString('utf8')
  const isUtf8 = !text.includes('\uFFFD') || isMostlyUtf8(text)
  if (isUtf8 && !(named !== undefined && isTorn(text) && !text.includes('\uFFFD'))) return text
  const decoder = (named === undefined ? undefined : decoderOf(named)) ?? new TextDecoder('windows-1252')
  return decoder.decode(bytes)
}

/** One bad byte in a long text does not make it another charset. */
function isMostlyUtf8(text: string): boolean {
  const lost = text.split('\uFFFD').length - 1
  return (text.match(/[^\p{ASCII}\uFFFD]/gu) ?? []).length > lost
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}
