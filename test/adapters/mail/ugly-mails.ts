/** Malformed emails, built line by line. */

/** Lines with CRLF line ends. */
export const email = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1')

/** The head of a common email. */
export const HEAD = [
  'From: Petra <petra@debtor.example>',
  'To: help@us.example',
  'Subject: My invoice',
  'Date: Sun, 22 Nov 2026 10:00:00 +0100',
  'Message-ID: <one@debtor.example>',
  'MIME-Version: 1.0',
] as const

/** A message of several parts, each given as its lines. */
export function multipart(boundary: string, ...parts: readonly (readonly string[])[]): string[] {
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...part]),
    `--${boundary}--`,
  ]
}

/** Nested multiparts of the given depth. */
export function nested(depth: number): Buffer {
  const open = Array.from({ length: depth }, (_, level) => [
    `Content-Type: multipart/mixed; boundary="b${level}"`,
    '',
    `--b${level}`,
  ]).flat()
  return email(...HEAD, ...open, 'Content-Type: text/plain', '', 'at the bottom')
}

/** An email with a file of so many bytes. */
export function withFile(bytes: number): Buffer {
  const lines = Buffer.alloc(bytes, 'A').toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  const file = ['Content-Type: application/octet-stream', 'Content-Transfer-Encoding: base64', '', lines]
  return email(...HEAD, ...multipart('big', ['Content-Type: text/plain', '', 'see file'], file))
}
