/** A whole Dovecot for tests: it is signed on to, over TLS, as on the servers of providers. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../asterisk/ports.ts'
import { answers, MAIL_TREE, mailOwner } from './mail-servers.ts'

/** Started in a directory of its own, which others must be able to enter; user `help`, password `secret`. */
export interface TestDovecot {
  /** Without TLS, or with STARTTLS. */
  readonly port: number
  /** With TLS from the first byte. */
  readonly tlsPort: number
  /** The server's own certificate for `localhost`; clients trust it to trust the server. */
  readonly certificate: string
  /** What it wrote down: who signed on, and who did not. */
  log(): string
  close(): Promise<void>
}

/** Starts it. */
export async function testDovecot(directory: string): Promise<TestDovecot> {
  for (const name of ['', 'mail', 'run']) mkdirSync(join(directory, name), { recursive: true, mode: 0o777 })
  for (const name of ['', 'mail']) chmodSync(join(directory, name), 0o777)
  // Where it looks for its modules, since we made it.
  symlinkSync(join(MAIL_TREE, 'unpacked/usr/lib/dovecot/modules'), join(directory, 'run/modules'))
  const [port, tlsPort] = [await freePort('tcp', '127.0.0.1'), await freePort('tcp', '127.0.0.1')]
  await makeCertificate(directory)
  const file = join(directory, 'dovecot.conf')
  writeFileSync(file, await settings(directory, file, port, tlsPort))
  const doveconf = ['usr/bin/doveconf', '-f', 'service=master', '-c', file, '-m', 'master', '-p', '-e']
  const start = [join(MAIL_TREE, 'with-libraries'), ...doveconf, join(MAIL_TREE, 'unpacked/usr/sbin/dovecot'), '-F']
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...start], { stdio: ['ignore', 'ignore', 'pipe'] })
  const said: Buffer[] = []
  child.stderr.on('data', (bytes: Buffer) => said.push(bytes))
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`the test's Dovecot did not start:\n${Buffer.concat(said)}`)
  }
  return {
    port,
    tlsPort,
    certificate: readFileSync(join(directory, 'cert.pem'), 'utf8'),
    log: () => readFileSync(join(directory, 'log'), 'utf8'),
    async close() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

async function makeCertificate(directory: string): Promise<void> {
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate]
  await promisify(execFile)('openssl', ['req', ...made, ...about])
}

async function settings(directory: string, file: string, port: number, tlsPort: number): Promise<string> {
  const { uid, gid, user, group } = await mailOwner()
  // Who meets the world must not be root, and can be nobody else where we are not.
  const login = process.getuid?.() === 0 ? 'nobody' : user
  const listener = (name: string, number: number, tls: string) =>
    `inet_listener ${name} {\n address = 127.0.0.1\n port = ${number}\n ssl = ${tls}\n }`
  const chrootless = ['anvil', 'stats'].map((name) => `service ${name} {\n chroot =\n}`)
  return `
base_dir = ${directory}/run
state_dir = ${directory}/run
log_path = ${directory}/log
libexec_dir = ${MAIL_TREE}/unpacked/usr/lib/dovecot
mail_plugin_dir = ${MAIL_TREE}/unpacked/usr/lib/dovecot/modules
import_environment = TZ LD_LIBRARY_PATH
protocols = imap
auth_mechanisms = plain login
auth_failure_delay = 0
ssl = yes
ssl_cert = <${directory}/cert.pem
ssl_key = <${directory}/key.pem
default_login_user = ${login}
default_internal_user = ${user}
default_internal_group = ${group}
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${directory}/mail
passdb {
 driver = static
 args = user=help password=secret
}
userdb {
 driver = static
 args = uid=${uid} gid=${gid} home=${directory}
}
service config {
 executable = config -c ${file}
}
service imap-login {
 chroot =
 ${listener('imap', port, 'no')}
 ${listener('imaps', tlsPort, 'yes')}
}
${chrootless.join('\n')}
`
}
