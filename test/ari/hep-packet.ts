/** A packet of HEP version 3, as Asterisk sends it: the instant, the source port (which nobody needs), the message. */
export function hepPacket(lines: readonly string[], { body = '', atMs = 0 } = {}): Buffer {
  const chunks = Buffer.concat([
    chunk(0x0009, uint32(Math.floor(atMs / 1_000))),
    chunk(0x000a, uint32((atMs % 1_000) * 1_000)),
    chunk(0x0007, Buffer.from([0x13, 0xc4])),
    chunk(0x000f, Buffer.from([...lines, '', body].join('\r\n'))),
  ])
  const head = Buffer.from('HEP3\0\0', 'latin1')
  head.writeUInt16BE(6 + chunks.length, 4)
  return Buffer.concat([head, chunks])
}

function chunk(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(6 + content.length, 4)
  return Buffer.concat([head, content])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
