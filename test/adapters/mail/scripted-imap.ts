/** A mailbox of a server that answers what a test tells it, as none of the real ones does on request. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/**
 * Starts one on a port of its own. `answer`: instead of its own to this command; `cut`: the connection ends; `last`:
 * after it.
 */
export async function scriptedImap(messages: readonly Buffer[], answer: (command: string) => string | undefined) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1] here\r\n')
    let rest = ''
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) serve(socket, line)
    })
  })
  const serve = (socket: Socket, line: string) => {
    const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? []
    const told = answer(command)
    if (told === 'cut') return void socket.destroy()
    const untagged = told === undefined || told === 'last' ? untaggedFor(command) : []
    const isLast = told === 'last'
    socket.write(Buffer.concat([...untagged, Buffer.from(`${tag} ${isLast ? 'OK' : (told ?? 'OK')} done\r\n`)]))
    if (command === 'LOGOUT' || isLast) socket.end()
  }
  const text = (line: string) => Buffer.from(`* ${line}\r\n`)
  const untaggedFor = (command: string): Buffer[] => {
    if (command === 'CAPABILITY') return [text('CAPABILITY IMAP4rev1')]
    if (/^LIST/.test(command)) return [text('LIST () "/" INBOX')]
    if (/^(SELECT|EXAMINE)/.test(command)) return [text(`${messages.length} EXISTS`), text('OK [UIDVALIDITY 7] ok')]
    if (/^UID SEARCH/.test(command)) return [text(`SEARCH ${messages.map((_, place) => place + 1).join(' ')}`)]
    const [, uid = '', wanted = ''] = /^UID FETCH (\d+) (.*)$/.exec(command) ?? []
    const raw = messages[Number(uid) - 1]
    if (!raw) return []
    const head = raw.subarray(0, raw.indexOf('\r\n\r\n') + 4)
    const [section, bytes] = wanted.includes('HEADER') ? ['HEADER', head] : ['', raw]
    const about = `${uid} FETCH (UID ${uid} RFC822.SIZE ${raw.length} BODY[${section}] {${bytes.length}}`
    return [Buffer.concat([text(about), bytes, Buffer.from(')\r\n')])]
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
