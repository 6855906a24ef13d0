/** Members of a case and their periods (contract.md §2.6). A membership ends; it is never deleted. */
import type { AtMs } from '../kernel/clock.ts'
import { type CaseLog, MEMBER_ROLE, type Member, type MemberChange } from '../ports/cases.ts'
import { type Hand, logOf } from './case-change.ts'
import { type Refused, refused } from './case-state.ts'

type MembersChanged =
  | { readonly ok: true; readonly members: readonly Member[]; readonly logs: readonly CaseLog[] }
  | Refused

const NAMES = { 1: 'assigned user', 2: 'follower', 20: 'contact' } as const

/** Every reading of a case has all of them, and every change of its followers logs all (cases-23). */
const FOLLOWERS_MAX = 100
const MEMBERS_MAX = 1_000

/** Whether the membership is active. */
export function isActive({ endedAtMs }: Member): boolean {
  return endedAtMs === null
}

/** The active contact of a case. */
export function contactOf(members: readonly Member[]): Member['extension'] {
  return members.find((member) => member.role === MEMBER_ROLE.contact && isActive(member))?.extension ?? null
}

/** Begins and ends memberships. A new assigned user or contact ends the last one; active ones do not begin again. */
export function changeMembers(
  members: readonly Member[],
  changes: readonly MemberChange[],
  hand: Hand,
  atMs: AtMs,
): MembersChanged {
  let now = members
  const logs: CaseLog[] = []
  for (const change of changes) {
    const { role } = change
    const rival = changes.find((other) => other.role === role && isBegun(other) && !isSame(other, change))
    if (role !== MEMBER_ROLE.follower && isBegun(change) && rival) {
      return refused('invalid', 'members', `a case has one active ${NAMES[role]} and the request has two; give one`)
    }
    const after = step(now, change, atMs)
    const [was, becomes] = [activeOf(now, role), activeOf(after, role)]
    if (JSON.stringify(was) !== JSON.stringify(becomes)) logs.push(logOf(NAMES[role], was, becomes, hand, atMs))
    now = after
  }
  const full = now.length > members.length ? whyFull(members, now) : undefined
  if (full !== undefined) return refused('conflict', 'members', full)
  return { ok: true, members: now, logs }
}

/** Undefined: there is room. */
function whyFull(before: readonly Member[], after: readonly Member[]): string | undefined {
  const [were, are] = [followersOf(before), followersOf(after)]
  if (are > Math.max(FOLLOWERS_MAX, were)) return `a case has at most ${FOLLOWERS_MAX} followers; end some first`
  if (after.length <= MEMBERS_MAX) return undefined
  return `a case has at most ${MEMBERS_MAX} memberships, ended ones too; create another case, and put this under it`
}

function followersOf(members: readonly Member[]): number {
  return members.filter((member) => member.role === MEMBER_ROLE.follower && isActive(member)).length
}

function step(members: readonly Member[], change: MemberChange, atMs: AtMs): readonly Member[] {
  const { role } = change
  const isHere = (member: Member) => member.role === role && isActive(member)
  if (isBegun(change)) {
    if (members.some((member) => isHere(member) && isSame(member, change))) return members
    const begun = { role, user: change.user, extension: change.extension, startedAtMs: atMs, endedAtMs: null }
    const kept = role === MEMBER_ROLE.follower ? members : end(members, isHere, atMs)
    return [...kept, begun]
  }
  const isNamed = change.user !== null || change.extension !== null
  return end(members, (member) => isHere(member) && (!isNamed || isSame(member, change)), atMs)
}

function end(members: readonly Member[], which: (member: Member) => boolean, atMs: AtMs): readonly Member[] {
  return members.map((member) => (which(member) ? { ...member, endedAtMs: atMs } : member))
}

function isBegun(change: MemberChange): boolean {
  return change.isActive && (change.user !== null || change.extension !== null)
}

function isSame(one: Pick<Member, 'user' | 'extension'>, other: Pick<Member, 'user' | 'extension'>): boolean {
  return one.user === other.user && one.extension === other.extension
}

function activeOf(members: readonly Member[], role: Member['role']): unknown {
  const people = members.filter((member) => member.role === role && isActive(member))
  const ids = people.map(({ user, extension }) => user ?? extension)
  return role === MEMBER_ROLE.follower ? ids : (ids[0] ?? null)
}
