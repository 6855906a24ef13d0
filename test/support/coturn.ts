/** A real coturn with the example of `deploy/`, for tests: on an address of this machine, with a secret of its own. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../asterisk/ports.ts'

const TREE = fileURLToPath(new URL('../../.data/coturn', import.meta.url))
const EXAMPLE = fileURLToPath(new URL('../../deploy/turnserver.conf', import.meta.url))

export interface TestCoturn {
  /** `turn:host:port`. */
  readonly address: string
  readonly secret: string
  /** What it wrote. */
  log(): string
  end(): Promise<void>
}

/** Starts it. Installs coturn first where there is none, and fails loudly where it cannot. */
export async function startCoturn(): Promise<TestCoturn> {
  await promisify(execFile)('bash', [fileURLToPath(new URL('install-coturn.sh', import.meta.url)), TREE])
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-turn-'))
  const own = Object.values(networkInterfaces()).flatMap((known) => known ?? [])
  const addresses = own.filter(({ family }) => family === 'IPv4').map(({ address }) => address)
  const host = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
  const port = await freePort('udp', host)
  const secret = crypto.randomUUID()
  const changes: readonly (readonly [text: string, here: string])[] = [
    ['listening-ip=192.0.2.20', `listening-ip=${host}`],
    ['relay-ip=192.0.2.20', `relay-ip=${host}`],
    ['listening-port=3478', `listening-port=${port}`],
    ['static-auth-secret=change-me', `static-auth-secret=${secret}`],
    // Asterisk is on this machine, at any of its addresses.
    ['allowed-peer-ip=192.0.2.10', addresses.map((one) => `allowed-peer-ip=${one}`).join('\n')],
  ]
  let example = readFileSync(EXAMPLE, 'utf8')
  for (const [text, here] of changes) {
    if (!example.includes(text)) throw new Error(`deploy/turnserver.conf does not say "${text}" any more`)
    example = example.replace(text, here)
  }
  const file = join(directory, 'turnserver.conf')
  writeFileSync(file, `${example}\npidfile=${join(directory, 'turnserver.pid')}\nuserdb=${join(directory, 'turndb')}\n`)
  const program = [join(TREE, 'turnserver'), '-c', file, '--verbose']
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...program], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  await new Promise<void>((isReady, fails) => {
    child.once('error', fails)
    child.once('close', () => fails(new Error(`coturn did not start:\n${said}`)))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        said += String(text)
        if (said.includes('IPv4. UDP listener opened on')) isReady()
      })
    }
  })
  return {
    address: `turn:${host}:${port}`,
    secret,
    log: () => said,
    async end() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
