/** A real nginx with the example of `deploy/`, for tests: on ports of its own, with a certificate of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../asterisk/ports.ts'

const TREE = fileURLToPath(new URL('../../.data/nginx', import.meta.url))
const EXAMPLE = fileURLToPath(new URL('../../deploy/nginx.conf', import.meta.url))
const run = promisify(execFile)

export interface TestNginx {
  readonly tlsPort: number
  /** Of the server, in PEM: clients trust it. */
  readonly certificate: string
  /** What it wrote about requests. */
  accessLog(): string
  end(): Promise<void>
}

/** Starts it in front of a service. Installs nginx first where there is none, and fails loudly where it cannot. */
export async function startNginx(
  directory: string,
  service: { readonly httpPort: number; readonly ssoPort: number },
): Promise<TestNginx> {
  await run('bash', [fileURLToPath(new URL('install-nginx.sh', import.meta.url)), TREE])
  const place = (name: string) => join(directory, name)
  // Its workers belong to `nobody` where root starts it, and write large bodies into files.
  mkdirSync(place('temporary'))
  for (const open of [directory, place('temporary')]) chmodSync(open, 0o777)
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
  const pair = ['-keyout', place('key.pem'), '-out', place('certificate.pem')]
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...pair, ...subject])
  const tlsPort = await freePort('tcp', '127.0.0.1')
  const changes: readonly (readonly [text: string, here: string])[] = [
    ['listen 443 ssl;', `listen 127.0.0.1:${tlsPort} ssl;`],
    ['127.0.0.1:8080', `127.0.0.1:${service.httpPort}`],
    ['127.0.0.1:8081', `127.0.0.1:${service.ssoPort}`],
    ['/etc/ssl/switchboard/', `${directory}/`],
    ['/var/log/nginx/', `${directory}/`],
  ]
  let example = readFileSync(EXAMPLE, 'utf8')
  for (const [text, here] of changes) {
    if (!example.includes(text)) throw new Error(`deploy/nginx.conf does not say "${text}" any more`)
    example = example.replaceAll(text, here)
  }
  writeFileSync(place('switchboard.conf'), example)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${place('temporary')}/${what};`,
  )
  const main = [
    'daemon off;',
    `pid ${place('nginx.pid')};`,
    'error_log stderr notice;',
    'events {}',
    `http { access_log off; ${temporary.join(' ')} include ${place('switchboard.conf')}; }`,
  ]
  writeFileSync(place('nginx.conf'), main.join('\n'))
  const program = [join(TREE, 'with-libraries'), 'usr/sbin/nginx', '-p', directory, '-c', place('nginx.conf')]
  const child = await started(['--pdeathsig', 'TERM', ...program])
  return {
    tlsPort,
    certificate: readFileSync(place('certificate.pem'), 'utf8'),
    accessLog: () => readFileSync(place('switchboard.log'), 'utf8'),
    async end() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

async function started(program: readonly string[]): Promise<ChildProcess> {
  const child = spawn('setpriv', program, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  await new Promise<void>((isReady, fails) => {
    child.once('error', fails)
    child.once('close', () => fails(new Error(`nginx did not start:\n${said}`)))
    child.stderr.on('data', (text: Buffer) => {
      said += String(text)
      if (said.includes('start worker process ')) isReady()
    })
  })
  return child
}
