/** Cases as answers show them (contract.md §2.7). */
import { Type } from 'typebox'
import type { Case, CaseFile, CaseLink, CaseText, CaseUser } from '../../ports/case-repository.ts'
import type { Category, CustomStatus, Member, Priority } from '../../ports/cases.ts'
import {
  field,
  flag,
  instant,
  int,
  list,
  nested,
  nestedOrNull,
  ref,
  refOrNull,
  shape,
  text,
  textOrNull,
} from '../http/shape.ts'
import { type Log, shownLogs } from './case-log-schema.ts'

const CLOSED = { additionalProperties: false } as const

/** A user, as records name them. */
export const USER = shape<CaseUser>({
  userId: int(({ id }) => id),
  userName: text(({ userName }) => userName, 'Name to sign on with'),
  name: text(({ name }) => name, 'Name as people see it'),
})
const creator = <From extends { readonly creator: CaseUser | null }>() =>
  nestedOrNull<From, CaseUser>(USER, (from) => from.creator, 'The user; null for a system without a user')

/** A category (D-23). */
export const CATEGORY = shape<Category>({
  ctnoId: int(({ id }) => id),
  name: text(({ name }) => name, 'Name as people see it'),
  parent: refOrNull('ctnoId', ({ parent }) => parent, 'The category above it; null at the top', CLOSED),
  active: flag(({ active }) => active, 'False: existing cases keep it, and it cannot be given to others'),
  sortOrder: int(({ sortOrder }) => sortOrder),
})

/** A status that a corporation names itself (D-23). */
export const STATUS = shape<CustomStatus>({
  emstId: int(({ id }) => id),
  name: text(({ name }) => name, 'Name as people see it'),
  internalStatus: int(({ status }) => status),
  default: flag(({ isDefault }) => isDefault),
  active: flag(({ active }) => active, 'False: existing cases keep it, and it cannot be given to others'),
  color: textOrNull(({ color }) => color, 'Colour on screens'),
  sortOrder: int(({ sortOrder }) => sortOrder),
})

/** A priority (D-23). The contract has two names for its id. */
export const PRIORITY = shape<Priority>({
  emprId: int(({ id }) => id, 'Id of the priority'),
  empriId: int(({ id }) => id),
  name: text(({ name }) => name, 'Name as people see it'),
  level: int(({ level }) => level),
  default: flag(({ isDefault }) => isDefault),
  active: flag(({ active }) => active, 'False: existing cases keep it, and it cannot be given to others'),
  color: textOrNull(({ color }) => color, 'Colour on screens'),
  sortOrder: int(({ sortOrder }) => sortOrder),
})

const MEMBER = shape<Member & { readonly who: CaseUser | null }>({
  role: int(({ role }) => role),
  startTs: instant(({ startedAtMs }) => startedAtMs, 'When the role began'),
  endTs: instant(({ endedAtMs }) => endedAtMs, 'When the role ended; null while it lasts'),
  user: nestedOrNull(USER, ({ who }) => who, 'The user; null for a contact'),
  entityExtension: refOrNull('eeexId', ({ extension }) => extension, 'The contact; null for a user', CLOSED),
})

const LINK = shape<CaseLink>({
  type: int(({ type }) => type, '14 activity to case, 16 sub-case to case'),
  from: ref('eactId', ({ from }) => from, 'Source of the link', CLOSED),
  to: ref('eactId', ({ to }) => to, 'Target of the link', CLOSED),
})

/** A file of an activity. */
export const FILE = shape<CaseFile>({
  cfreId: int(({ id }) => id),
  type: int(({ kind }) => kind, '1 inline image, 2 attachment, 3 uploaded, 17 content of an email'),
  fileName: text(({ fileName }) => fileName),
  mimeType: text(({ mimeType }) => mimeType),
  size: int(({ sizeBytes }) => sizeBytes, 'In bytes'),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When it was stored'),
})

/** An entry of a case's log. */
export const LOG = shape<Log>({
  what: text(({ what }) => what, 'What was changed: status, assigned user, follower, contact, title, link …'),
  oldValue: field(Type.Unknown({ description: 'The value before; null for a new one' }), ({ was }) => was),
  newValue: field(Type.Unknown({ description: 'The value after' }), ({ becomes }) => becomes),
  reason: textOrNull(({ why }) => why, 'The reason of an automatic change'),
  user: nestedOrNull(USER, ({ by }) => by, 'The user; null for a system without a user'),
  creationTs: instant(({ atMs }) => atMs, 'When it was changed'),
})

/** A comment. */
export const COMMENT = shape<CaseText>({
  textId: int(({ id }) => id),
  text: text((comment) => comment.text, 'HTML, cleaned of everything that could do harm'),
  activity: ref('eactId', (comment) => comment.case, 'The case', CLOSED),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When it was written'),
  creator: creator(),
  internal: flag(({ isInternal }) => isInternal),
  external: flag(({ isExternalUpdate }) => isExternalUpdate),
})

/** A tag of an activity. */
export const TAG = shape<Case['tags'][number]>({
  id: int(({ id }) => id),
  name: text(({ name }) => name, 'The tag'),
})

const VALUE = shape<Case['values'][number]>({
  emprId: int((value) => value.field, 'The information field'),
  name: text(({ name }) => name, 'Name of the information field'),
  value: text(({ value }) => value, 'Its value'),
})

const TYPE = Type.Object({ eatyId: Type.Literal(15, { description: 'Always 15' }), name: Type.Literal('case') })

/** The whole case. */
export const CASE = shape<Case>({
  eactId: int(({ record }) => record.id),
  corporation: ref('corpId', ({ record }) => record.corporation),
  activityType: field(TYPE, () => ({ eatyId: 15 as const, name: 'case' as const })),
  seqNo: int(({ number }) => number),
  status: field(
    Type.Integer({ minimum: 1, maximum: 8, description: 'Always the internalStatus of emsStatus' }),
    ({ record }) => record.status,
  ),
  description: text(({ record }) => record.title, 'Title of the case'),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When it was created'),
  updateTs: instant(
    ({ record }) => record.updatedAtMs,
    'Last change of the case itself; linked activities do not count',
  ),
  creator: creator(),
  entityExtension: refOrNull(
    'eeexId',
    ({ record }) => record.extension,
    'The contact that the case belongs to',
    CLOSED,
  ),
  category: nestedOrNull(CATEGORY, ({ category }) => category, 'The subject of the case'),
  priority: nested(PRIORITY, ({ priority }) => priority),
  emsStatus: nested(STATUS, ({ custom }) => custom),
  emsStatusChangeTs: instant(({ record }) => record.customChangedAtMs, 'Last change of the status'),
  emsStatusLastOpen: nested(STATUS, ({ lastOpen }) => lastOpen),
  internalUpdateTs: instant(
    ({ record }) => record.internalUpdatedAtMs,
    'Last communication from us, such as a sent email or a comment',
  ),
  externalUpdateTs: instant(
    ({ record }) => record.externalUpdatedAtMs,
    'Last communication from outside, such as a received email',
  ),
  deadlineTs: instant(({ record }) => record.deadlineAtMs, 'Deadline of the case'),
  queue: nestedOrNull(
    shape<NonNullable<Case['team']>>({ ucquId: int(({ id }) => id), name: text(({ name }) => name) }),
    ({ team }) => team,
    'The team that works on the case',
  ),
  onHoldToTs: instant(({ record }) => record.holdUntilMs, 'End of the hold'),
  onHoldComment: textOrNull(({ record }) => record.holdComment, 'Why it is on hold, in words'),
  mergedTo: refOrNull(
    'eactId',
    ({ record }) => record.merged?.into ?? null,
    'The case that it was merged into; null for all others',
    CLOSED,
  ),
  members: list(MEMBER, ({ members }) => members),
  links: list(LINK, ({ links }) => links),
  texts: list(COMMENT, ({ texts }) => texts),
  logs: list(LOG, ({ logs }) => logs.flatMap(shownLogs)),
  emsTags: list(TAG, ({ tags }) => tags),
  coreFileReferences: list(FILE, ({ files }) => files),
  propValues: list(VALUE, ({ values }) => values),
})
