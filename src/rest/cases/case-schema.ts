/** Cases as answers show them (contract.md §2.7). */
import { Type } from 'typebox'
import type { Case, CaseFile, CaseText, CaseUser } from '../../ports/case-repository.ts'
import type { Category, CustomStatus, Member, Priority } from '../../ports/cases.ts'
import { InstantOut, instantText } from '../http/list-params.ts'
import { logOut } from './case-log-schema.ts'

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const Ref = (key: string, description: string) =>
  Type.Object({ [key]: Type.Integer() }, { description, additionalProperties: false })

/** A user, as records name them. */
export const UserRef = Type.Object({
  userId: Type.Integer(),
  userName: Type.String({ description: 'Who signs on by this name' }),
  name: Type.String({ description: 'As people call them' }),
})
const UserOrNull = orNull(UserRef, 'Null: a system, in nobody’s name')
const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const LIST_ENTRY = {
  name: Type.String({ description: 'As people call it' }),
  active: Type.Boolean({ description: 'False: it is kept, and can be given to nothing more' }),
  sortOrder: Type.Integer(),
}

/** A category (D-23). */
export const CategoryOut = Type.Object({
  ctnoId: Type.Integer(),
  parent: orNull(Ref('ctnoId', 'The one above it'), 'The one above it; null at the top'),
  ...LIST_ENTRY,
})
/** A status that a corporation names itself (D-23). */
export const StatusOut = Type.Object({
  emstId: Type.Integer(),
  internalStatus: Type.Integer(),
  default: Type.Boolean(),
  color: TextOrNull('Colour of the screens'),
  ...LIST_ENTRY,
})
/** A priority (D-23). */
export const PriorityOut = Type.Object({
  emprId: Type.Integer({ description: 'Id of a priority, as retrieval names it' }),
  empriId: Type.Integer(),
  level: Type.Integer(),
  default: Type.Boolean(),
  color: TextOrNull('Colour of the screens'),
  ...LIST_ENTRY,
})

const MemberOut = Type.Object({
  role: Type.Integer(),
  startTs: InstantOut('Since when'),
  endTs: InstantOut('Until when; null while it goes on'),
  user: orNull(UserRef, 'Who; null for a contact'),
  entityExtension: orNull(Ref('eeexId', 'The contact'), 'The contact; null for a user'),
})
const LinkOut = Type.Object({
  type: Type.Integer({ description: '14 into a case, 16 sub-case into case' }),
  from: Ref('eactId', 'Where it begins'),
  to: Ref('eactId', 'Where it ends'),
})
const FileOut = Type.Object({
  cfreId: Type.Integer(),
  type: Type.Integer({ description: '1 inline image, 2 attachment, 3 put there by hand' }),
  fileName: Type.String(),
  mimeType: Type.String(),
  size: Type.Integer({ description: 'In bytes' }),
  creationTs: InstantOut('When it came'),
})
const LogOut = Type.Object({
  what: Type.String({ description: 'What was changed: status, assigned user, follower, contact, title, link …' }),
  oldValue: Type.Unknown({ description: 'What it was; null for what is new' }),
  newValue: Type.Unknown({ description: 'What it became' }),
  reason: TextOrNull('Why, where nobody did it by hand'),
  user: UserOrNull,
  creationTs: InstantOut('When'),
})

/** A comment. */
export const TextOut = Type.Object({
  textId: Type.Integer(),
  text: Type.String({ description: 'HTML, made safe to be shown' }),
  activity: Ref('eactId', 'The case it is about'),
  creationTs: InstantOut('When it was written'),
  creator: UserOrNull,
  internal: Type.Boolean(),
  external: Type.Boolean(),
})

/** The whole case. */
export const CaseOut = Type.Object({
  eactId: Type.Integer(),
  corporation: Type.Object({ corpId: Type.Integer() }),
  activityType: Type.Object({ eatyId: Type.Literal(15, { description: 'Always 15' }), name: Type.Literal('case') }),
  seqNo: Type.Integer(),
  status: Type.Integer({ minimum: 1, maximum: 8, description: 'Always the internalStatus of emsStatus' }),
  description: Type.String({ description: 'Title of the case' }),
  creationTs: InstantOut('When it was made'),
  updateTs: InstantOut('When the case itself was changed last; what is linked to it does not count'),
  creator: UserOrNull,
  entityExtension: orNull(Ref('eeexId', 'The contact'), 'The contact that the case belongs to'),
  category: orNull(CategoryOut, 'What it is about'),
  priority: PriorityOut,
  emsStatus: StatusOut,
  emsStatusChangeTs: InstantOut('When the status was changed last'),
  emsStatusLastOpen: StatusOut,
  internalUpdateTs: InstantOut('The last communication of ours, such as an email sent or a comment'),
  externalUpdateTs: InstantOut('The last communication from outside, such as an email received'),
  deadlineTs: InstantOut('Until when it is to be done'),
  queue: orNull(Type.Object({ ucquId: Type.Integer(), name: Type.String() }), 'Whose work it is'),
  onHoldToTs: InstantOut('Until when it is on hold'),
  onHoldComment: TextOrNull('Why it is on hold, in words'),
  mergedTo: orNull(Ref('eactId', 'That case'), 'The case that it was merged into; null for all others'),
  members: Type.Array(MemberOut),
  links: Type.Array(LinkOut),
  texts: Type.Array(TextOut),
  logs: Type.Array(LogOut),
  emsTags: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String({ description: 'The tag' }) })),
  coreFileReferences: Type.Array(FileOut),
  propValues: Type.Array(
    Type.Object({
      emprId: Type.Integer({ description: 'The information field' }),
      name: Type.String({ description: 'Its name' }),
      value: Type.String({ description: 'Its value' }),
    }),
  ),
})

/** A case as its answer. */
export function caseOut(one: Case) {
  const { record, custom, lastOpen, category, priority, team, members, links, texts, logs, files } = one
  return {
    eactId: record.id,
    corporation: { corpId: record.corporation },
    activityType: { eatyId: 15, name: 'case' },
    seqNo: one.number,
    status: record.status,
    description: record.title,
    creationTs: instantText(one.createdAtMs),
    updateTs: instantText(record.updatedAtMs),
    creator: userOut(one.creator),
    entityExtension: refOut('eeexId', record.extension),
    category: category && categoryOut(category),
    priority: priorityOut(priority),
    emsStatus: statusOut(custom),
    emsStatusChangeTs: instantText(record.customChangedAtMs),
    emsStatusLastOpen: statusOut(lastOpen),
    internalUpdateTs: instantText(record.internalUpdatedAtMs),
    externalUpdateTs: instantText(record.externalUpdatedAtMs),
    deadlineTs: instantText(record.deadlineAtMs),
    queue: team && { ucquId: team.id, name: team.name },
    onHoldToTs: instantText(record.holdUntilMs),
    onHoldComment: record.holdComment,
    mergedTo: refOut('eactId', record.merged?.into ?? null),
    members: members.map(memberOut),
    links: links.map(({ type, from, to }) => ({ type, from: { eactId: from }, to: { eactId: to } })),
    texts: texts.map(textOut),
    logs: logs.flatMap((log) => logOut(log, userOut(log.by))),
    emsTags: one.tags.map(({ id, name }) => ({ id, name })),
    coreFileReferences: files.map(fileOut),
    propValues: one.values.map(({ field, name, value }) => ({ emprId: field, name, value })),
  }
}

/** A comment as its answer. */
export function textOut({ id, text, case: eactId, isInternal, isExternalUpdate, creator, createdAtMs }: CaseText) {
  const whose = { activity: { eactId }, creationTs: instantText(createdAtMs), creator: userOut(creator) }
  return { textId: id, text, ...whose, internal: isInternal, external: isExternalUpdate }
}

/** A category as its answer. */
export function categoryOut({ id, name, parent, active, sortOrder }: Category) {
  return { ctnoId: id, name, parent: refOut('ctnoId', parent), active, sortOrder }
}

/** A custom status as its answer. */
export function statusOut({ id, name, status, isDefault, active, color, sortOrder }: CustomStatus) {
  return { emstId: id, name, internalStatus: status, default: isDefault, active, color, sortOrder }
}

/** A priority as its answer; the contract has two names for its key. */
export function priorityOut({ id, name, level, isDefault, active, color, sortOrder }: Priority) {
  return { emprId: id, empriId: id, name, level, default: isDefault, active, color, sortOrder }
}

function memberOut({ role, startedAtMs, endedAtMs, who, extension }: Member & { readonly who: CaseUser | null }) {
  const times = { startTs: instantText(startedAtMs), endTs: instantText(endedAtMs) }
  return { role, ...times, user: userOut(who), entityExtension: refOut('eeexId', extension) }
}

function fileOut({ id, kind, fileName, mimeType, sizeBytes, createdAtMs }: CaseFile) {
  return { cfreId: id, type: kind, fileName, mimeType, size: sizeBytes, creationTs: instantText(createdAtMs) }
}

function userOut(user: CaseUser | null) {
  return user && { userId: user.id, userName: user.userName, name: user.name }
}

function refOut(key: string, id: number | null) {
  return id === null ? null : { [key]: id }
}
