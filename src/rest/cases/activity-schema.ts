/** An activity of any kind on the wire (contract.md §2.6, D-17). */
import { Type } from 'typebox'
import type { Activity, ActivityKind, ActivityLink } from '../../ports/activities.ts'
import { RECORDING } from '../calls/call-schema.ts'
import {
  field,
  instant,
  int,
  intOrNull,
  list,
  nestedOrNull,
  optionalList,
  ref,
  refOrNull,
  shape,
  textOrNull,
} from '../http/shape.ts'
import { FILE, TAG, USER } from './case-schema.ts'

/** Kind of an activity → its code and name. 11, 15 and 21 are the contract's, 10 is ours. */
const TYPES: Readonly<Record<ActivityKind, { readonly eatyId: number; readonly name: string }>> = {
  call: { eatyId: 10, name: 'Call' },
  email: { eatyId: 11, name: 'Email' },
  case: { eatyId: 15, name: 'Case' },
  conversation: { eatyId: 21, name: 'Email conversation' },
}
const TYPE = Type.Object(
  { eatyId: Type.Integer(), name: Type.String() },
  { description: '10 call, 11 email, 15 case, 21 email conversation' },
)
const DIRECTIONS = { in: 1, out: 2 } as const

const LINK = shape<ActivityLink>({
  type: int(({ type }) => type, '13 email to conversation, 14 activity to case, 16 sub-case to case'),
  from: ref('eactId', ({ from }) => from, 'Source of the link'),
  to: ref('eactId', ({ to }) => to, 'Target of the link'),
})

const MEMBER = shape<NonNullable<Activity['members']>[number]>({
  role: int(({ role }) => role, '1 assigned user, 2 follower, 20 contact'),
  user: nestedOrNull(USER, ({ who }) => who, 'The user, for roles 1 and 2'),
  entityExtension: refOrNull('eeexId', ({ extension }) => extension, 'The contact, for role 20'),
  startTs: instant(({ startedAtMs }) => startedAtMs, 'When the role began'),
  endTs: instant(({ endedAtMs }) => endedAtMs, 'When the role ended; null while it lasts'),
})

/** The object itself. */
export const ACTIVITY = shape<Activity>({
  eactId: int(({ id }) => id),
  activityType: field(TYPE, ({ kind }) => TYPES[kind]),
  subject: textOrNull(({ subject }) => subject, 'Title of a case; null for a call'),
  status: intOrNull(({ status }) => status, 'Internal status of a case, 1 to 8; null for other activities'),
  direction: intOrNull(({ direction }) => direction && DIRECTIONS[direction], '1 in, 2 out; null for a case'),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When it was created'),
  updateTs: instant(({ updatedAtMs }) => updatedAtMs, 'When it was last changed'),
  startTs: instant(({ startedAtMs }) => startedAtMs, 'When a call was answered'),
  endTs: instant(({ endedAtMs }) => endedAtMs, 'When it ended'),
  creator: nestedOrNull(USER, ({ creator }) => creator, 'Null if no user created it'),
  corporation: ref('corpId', ({ corporation }) => corporation),
  entityExtension: refOrNull('eeexId', ({ extension }) => extension, 'The contact; null if it is unknown'),
  links: list(LINK, ({ links }) => links, 'Links in both directions; the oldest 1,000'),
  recordings: list(RECORDING, ({ recordings }) => recordings, 'Recordings of a call'),
  members: optionalList(MEMBER, ({ members }) => members, 'With getMembers'),
  coreFileReferences: optionalList(FILE, ({ files }) => files, 'With getFiles'),
  emsTags: optionalList(TAG, ({ tags }) => tags, 'With getEmsTags'),
})
