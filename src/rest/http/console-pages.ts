/** Serves the built console: one page for all its addresses, and its files by their hashed names. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { HttpApp } from './http-app.ts'
import { refuse } from './problem-response.ts'

/** Where the built console lies, or why it could not be built, as a sentence with its remedy. */
export type BuiltConsole = { readonly directory: string } | { readonly problem: string }

/** The console as the app hands it over. */
export interface Console {
  /** The addresses of its pages, such as `/calls/:eactId`. None may be the address of an operation. */
  readonly paths: readonly string[]
  /** Building takes seconds on the first start; the node serves everything else meanwhile. */
  readonly built: Promise<BuiltConsole>
  /** 16 random bytes for each page: styles of the page carry it. */
  readonly nonceBytes: (length: number) => Buffer
}

/** Stands in the built page where the nonce of each answer comes. */
export const NONCE_PLACE = '__CSP_NONCE__'

interface Loaded {
  readonly page: string
  readonly files: ReadonlyMap<
    string,
    { readonly type: string; readonly bytes: Buffer; readonly zipped: Buffer | undefined }
  >
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** Fonts are compressed already. */
const IS_ZIPPED = ['.js', '.css', '.svg']
/** File names contain a hash of their content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Registers the pages. */
export function consolePages({ app, sendAnswer }: HttpApp, { paths, built, nonceBytes }: Console): void {
  const loaded = built.then((found) => ('problem' in found ? found : load(found.directory)))
  for (const path of paths) {
    app.get(path, async (request, reply) => {
      const found = await loaded
      if ('problem' in found) return sendAnswer(request, reply, refuse('unavailable', found.problem))
      const nonce = nonceBytes(16).toString('base64url')
      return reply
        .headers({ ...PAGE_HEADERS, 'content-security-policy': policyOf(nonce) })
        .type('text/html; charset=utf-8')
        .send(found.page.replaceAll(NONCE_PLACE, nonce))
    })
  }
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const found = await loaded
    const file = 'problem' in found ? undefined : found.files.get(request.params.name)
    if (!file) return sendAnswer(request, reply, refuse('notFound', 'the console has no such file; reload the page'))
    reply.headers({ 'cache-control': FOR_EVER, vary: 'accept-encoding' }).type(file.type)
    const isZipped = file.zipped && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    return isZipped ? reply.header('content-encoding', 'gzip').send(file.zipped) : reply.send(file.bytes)
  })
}

const PAGE_HEADERS = {
  // A page that opened a window for the case of another system must be able to use it again.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'microphone=(self), hid=(self), camera=(), geolocation=()',
  vary: 'accept-encoding',
}

/** `docs/design/console.md` 4.5. The component library writes style elements, which carry the nonce. */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** Reads and compresses all of it once: half a megabyte. */
function load(directory: string): Loaded {
  const assets = join(directory, 'assets')
  const files = readdirSync(assets).map((name) => {
    const bytes = readFileSync(join(assets, name))
    const zipped = IS_ZIPPED.includes(extname(name)) ? gzipSync(bytes, { level: 9 }) : undefined
    return [name, { type: TYPES[extname(name)] ?? 'application/octet-stream', bytes, zipped }] as const
  })
  return { page: readFileSync(join(directory, 'index.html'), 'utf8'), files: new Map(files) }
}
