/** Heads of the audit trail, one line per day and chain, in a file outside the database (F-K5). */
import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { AtMs } from '../../kernel/clock.ts'
import type { AuditAnchor, AuditAnchors } from '../../ports/audit.ts'

/** The file in the data directory of an installation. */
export function anchorsFile(dataDirectory: string): string {
  return resolve(dataDirectory, 'audit', 'anchors.jsonl')
}

/** Anchors in an append-only file of JSON lines. */
export function auditAnchors(file: string): AuditAnchors {
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(anchorOf) : [])
  return {
    read,
    keep(heads, atMs) {
      const kept = new Set(read().map((anchor) => `${anchor.corporation} ${dayOf(anchor.atMs)}`))
      const fresh = heads.filter(({ corporation }) => !kept.has(`${corporation} ${dayOf(atMs)}`))
      if (fresh.length === 0) return 0
      const lines = fresh.map(({ corporation, number, hash }) => JSON.stringify({ atMs, corporation, number, hash }))
      append(file, `${lines.join('\n')}\n`)
      return fresh.length
    },
  }
}

function append(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const handle = openSync(file, 'a', 0o600)
  try {
    appendFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function dayOf(atMs: AtMs): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

/** Skips a line that a crash cut off: no reader relied on it. */
function anchorOf(line: string): AuditAnchor[] {
  try {
    const { atMs, corporation, number, hash } = JSON.parse(line) as AuditAnchor
    const isWhole = Number.isInteger(atMs) && Number.isInteger(corporation) && Number.isInteger(number)
    return isWhole && typeof hash === 'string' ? [{ atMs, corporation, number, hash }] : []
  } catch {
    return []
  }
}
