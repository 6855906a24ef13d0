/** Real mail servers for tests: Dovecot's IMAP, and the programs with which Postfix tries mail servers. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../asterisk/ports.ts'

/** Where they are installed. */
export const MAIL_TREE = fileURLToPath(new URL('../../.data/mail', import.meta.url))
const START = join(MAIL_TREE, 'with-libraries')
const isRoot = process.getuid?.() === 0
/** The user `nobody` of every Linux: mail is not served to root. */
const NOBODY = 65_534

/** Installs them once and keeps them. Fails loudly where they cannot be had. */
export async function installMailServers(): Promise<void> {
  const script = fileURLToPath(new URL('install-mail.sh', import.meta.url))
  try {
    await promisify(execFile)('bash', [script, MAIL_TREE])
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    throw new Error(`the tests of email need real mail servers:\n${stderr || error}`)
  }
}

/** Whose mail it is, and who we are. */
export async function mailOwner() {
  const [uid, gid] = isRoot ? [NOBODY, NOBODY] : [process.getuid?.(), process.getgid?.()]
  const group = (await promisify(execFile)('id', ['-gn'])).stdout.trim()
  return { uid, gid, user: userInfo().username, group }
}

/**
 * A mailbox of a real Dovecot, a process for each connection, as inetd would start it; signing on is not asked for.
 * `cutAt`: the connection is cut, once, when the client says this.
 */
export async function imapServer(directory: string) {
  const mail = join(directory, 'mail')
  mkdirSync(mail, { recursive: true })
  for (const folder of [directory, mail]) chmodSync(folder, 0o777)
  const { uid, gid, user, group } = await mailOwner()
  const settings = [
    ...[`base_dir = ${directory}/run`, 'log_path = /dev/stderr', `mail_location = maildir:${mail}`, 'ssl = no'],
    ...['first_valid_uid = 0', 'first_valid_gid = 0', `mail_uid = ${uid}`, `mail_gid = ${gid}`],
    ...[`default_login_user = ${user}`, `default_internal_user = ${user}`],
    ...[`default_internal_group = ${group}`, 'import_environment = TZ LD_LIBRARY_PATH'],
  ]
  const file = join(directory, 'dovecot.conf')
  writeFileSync(file, `${settings.join('\n')}\n`)
  const program = ['usr/bin/doveconf', '-f', 'service=imap', '-c', file, '-m', 'imap', '-p', '-e']
  const command = [...program, join(MAIL_TREE, 'unpacked/usr/lib/dovecot/imap')]
  const state: { cutAt: RegExp | undefined } = { cutAt: undefined }
  const children = new Set<ChildProcess>()
  const server = createServer((socket: Socket) => {
    const env = { ...process.env, USER: 'help', HOME: directory }
    // It refuses sockets, which the pipes of Node are.
    const pipes = ['-c', 'cat | "$0" "$@" | cat', START, ...command]
    const child = spawn('sh', pipes, { stdio: ['pipe', 'pipe', 'ignore'], env })
    children.add(child)
    child.once('close', () => {
      children.delete(child)
      socket.destroy()
    })
    for (const stream of [socket, child.stdin]) stream.on('error', () => {})
    socket.on('data', (bytes) => {
      if (state.cutAt?.test(bytes.toString('latin1'))) {
        state.cutAt = undefined
        socket.destroy()
        child.stdin.end()
      } else child.stdin.write(bytes)
    })
    child.stdout.on('data', (bytes: Buffer) => socket.write(bytes))
    socket.once('close', () => child.stdin.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    cutAt(what: RegExp) {
      state.cutAt = what
    },
    /** As after a restore of the mailbox: the same emails under other numbers. */
    renumber() {
      const list = join(mail, 'dovecot-uidlist')
      const text = readFileSync(list, 'latin1')
      const changed = text.replace(/V(\d+)/, (_, validity: string) => `V${Number(validity) + 1_000}`)
      for (const name of readdirSync(mail).filter((each) => /^dovecot/.test(each))) rmSync(join(mail, name))
      writeFileSync(list, changed)
      chmodSync(list, 0o666)
    },
    async close() {
      const gone = [...children].map((child) => once(child, 'close'))
      for (const child of children) child.stdin?.end()
      await Promise.all(gone)
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Postfix's smtp-sink: takes everything, and writes each email into a file. */
export async function smtpSink(directory: string) {
  mkdirSync(directory, { recursive: true })
  const port = await freePort('tcp', '127.0.0.1')
  const user = isRoot ? ['-u', 'root'] : []
  const args = ['usr/sbin/smtp-sink', ...user, '-d', 'mail.%S', `127.0.0.1:${port}`, '10']
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', START, ...args], { cwd: directory, stdio: 'ignore' })
  while (!(await answers(port))) if (child.exitCode !== null) throw new Error('smtp-sink did not start')
  return {
    port,
    mails: () => readdirSync(directory).map((name) => readFileSync(join(directory, name))),
    async close() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

/** Postfix's smtp-source: brings so many emails to a server, several at once. Rejects when one is not taken. */
export async function smtpSource(port: number, to: string, count: number): Promise<void> {
  const plan = ['-s', '4', '-m', String(count), '-f', 'petra@debtor.example', '-t', to, '-S', 'from smtp-source']
  await promisify(execFile)(START, ['usr/sbin/smtp-source', ...plan, `127.0.0.1:${port}`])
}

/** Whether a server that speaks first is there. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.once('data', () => socket.destroy())
  })
}
