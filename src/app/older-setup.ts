/** Refuses a configuration that another node has replaced: it would take away people whom the newer one added. */
import type { Problem } from '../kernel/file-problem.ts'
import type { StaffEntry } from '../ports/directory.ts'
import type { Pools } from '../store/db/pools.ts'
import { bringStaffIntoForce } from '../store/nodes/setup-revisions.ts'
import type { Settings } from './settings.ts'

/** The error of the file, if there is one; otherwise its agents and teams are those of all nodes from now on. */
export async function refuseOlderSetup(
  pools: Pools,
  { node, setupFile }: Pick<Settings, 'node' | 'setupFile'>,
  staff: StaffEntry,
  nowMs: number,
): Promise<Problem | undefined> {
  const newer = await bringStaffIntoForce(pools, node, staff, nowMs)
  if (!newer) return undefined
  const since = new Date(newer.begunAtMs).toISOString()
  const message =
    `this file is older than the one that the node ${newer.node} brought into force at ${since}: ` +
    `${differences(staff, newer.staff)}; copy that file here, or change this one`
  return { file: setupFile, line: 1, column: 1, severity: 'error', message }
}

function differences(ours: StaffEntry, theirs: StaffEntry): string {
  const beyond = (kind: 'agents' | 'teams', of: StaffEntry, other: StaffEntry) => {
    const known = new Set<string>(other[kind].map(({ name }) => name))
    return of[kind].map(({ name }) => name as string).filter((name) => !known.has(name))
  }
  const told = (['agents', 'teams'] as const).flatMap((kind) => [
    ...[beyond(kind, theirs, ours)]
      .filter((names) => names.length > 0)
      .map((names) => `it lacks the ${kind} ${names.join(', ')}`),
    ...[beyond(kind, ours, theirs)]
      .filter((names) => names.length > 0)
      .map((names) => `it still has the ${kind} ${names.join(', ')}`),
  ])
  return told.length > 0 ? told.join('; ') : 'titles or members of teams differ'
}
