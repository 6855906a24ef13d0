/** An activity of any kind on the wire (contract.md §2.6, D-17). */
import { Type } from 'typebox'
import type { Activity, ActivityKind } from '../../ports/activities.ts'
import { InstantOut, instantText } from '../http/list-params.ts'

/** Kind of an activity → its code and name. 11, 15 and 21 are the contract's, 10 is ours. */
const TYPES: Readonly<Record<ActivityKind, { readonly eatyId: number; readonly name: string }>> = {
  call: { eatyId: 10, name: 'Call' },
  email: { eatyId: 11, name: 'Email' },
  case: { eatyId: 15, name: 'Case' },
  conversation: { eatyId: 21, name: 'Email conversation' },
}

const IntegerOrNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })
const end = (description: string) => Type.Object({ eactId: Type.Integer() }, { description })
const User = Type.Object({ userId: Type.Integer(), userName: Type.String(), name: Type.String() })
const Extension = Type.Union([Type.Object({ eeexId: Type.Integer() }), Type.Null()], {
  description: 'The contact that it is about; null where none is known.',
})

const Link = Type.Object({
  type: Type.Integer({ description: '13 email to its conversation, 14 to its case, 16 case to the one it is part of' }),
  from: end('Where it begins'),
  to: end('What it points at'),
})

const Member = Type.Object({
  role: Type.Integer({ description: '1 assigned user, 2 follower, 20 contact' }),
  user: Type.Union([User, Type.Null()], { description: 'Of roles 1 and 2' }),
  entityExtension: Type.Union([Type.Object({ eeexId: Type.Integer() }), Type.Null()], { description: 'Of role 20' }),
  startTs: InstantOut('Since when'),
  endTs: InstantOut('Until when; null while active'),
})

const File = Type.Object({
  cfreId: Type.Integer(),
  type: Type.Integer({ description: '1 inline image, 2 attachment, 3 put there by hand, 17 content of an email' }),
  fileName: Type.String({ description: 'As its sender called it' }),
  mimeType: Type.String({ description: 'As its sender called it' }),
  size: Type.Integer({ description: 'In bytes' }),
  creationTs: InstantOut('When it came'),
})

const Recording = Type.Object({
  pcreId: Type.Integer(),
  startTs: InstantOut('From …'),
  endTs: InstantOut('… to'),
  cfreId: IntegerOrNull('Its file; null where recording failed'),
})

/** The object as it is described in the reference. */
export const ActivityOut = Type.Object({
  eactId: Type.Integer(),
  activityType: Type.Object(
    { eatyId: Type.Integer(), name: Type.String() },
    { description: '10 call, 11 email, 15 case, 21 email conversation' },
  ),
  subject: Type.Union([Type.String(), Type.Null()], { description: 'Of a case its title; null for a call' }),
  status: IntegerOrNull('Of a case, 1 to 8; null of others'),
  direction: IntegerOrNull('1 came in, 2 went out; null where it did neither'),
  creationTs: InstantOut('When it was made'),
  updateTs: InstantOut('When it was changed last'),
  startTs: InstantOut('Of a call, when it was answered'),
  endTs: InstantOut('When it was over'),
  creator: Type.Union([User, Type.Null()], { description: 'Null where no user made it' }),
  corporation: Type.Object({ corpId: Type.Integer() }),
  entityExtension: Extension,
  links: Type.Array(Link, { description: 'From it and to it; at most 1,000, the oldest' }),
  recordings: Type.Array(Recording, { description: 'Of a call' }),
  members: Type.Optional(Type.Array(Member, { description: 'With getMembers' })),
  coreFileReferences: Type.Optional(Type.Array(File, { description: 'With getFiles' })),
  emsTags: Type.Optional(
    Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }), { description: 'With getEmsTags' }),
  ),
})

/** The object itself. */
export function activityOut(activity: Activity) {
  const { members, files, tags } = activity
  return {
    eactId: activity.id,
    activityType: TYPES[activity.kind],
    subject: activity.subject,
    status: activity.status,
    direction: activity.direction && (activity.direction === 'in' ? 1 : 2),
    creationTs: instantText(activity.createdAtMs),
    updateTs: instantText(activity.updatedAtMs),
    startTs: instantText(activity.startedAtMs),
    endTs: instantText(activity.endedAtMs),
    creator: userOut(activity.creator),
    corporation: { corpId: activity.corporation },
    entityExtension: activity.extension && { eeexId: activity.extension },
    links: activity.links.map(({ type, from, to }) => ({ type, from: { eactId: from }, to: { eactId: to } })),
    recordings: activity.recordings.map(({ id, file, startedAtMs, endedAtMs, state }) => ({
      ...{ pcreId: id, startTs: instantText(startedAtMs), endTs: instantText(endedAtMs) },
      cfreId: state === 'ready' ? file : null,
    })),
    ...(members && { members: members.map(memberOut) }),
    ...(files && { coreFileReferences: files.map(fileOut) }),
    ...(tags && { emsTags: tags }),
  }
}

function memberOut({ role, who, extension, startedAtMs, endedAtMs }: NonNullable<Activity['members']>[number]) {
  const about = { role, user: userOut(who), entityExtension: extension && { eeexId: extension } }
  return { ...about, startTs: instantText(startedAtMs), endTs: instantText(endedAtMs) }
}

function fileOut({ id, kind, fileName, mimeType, sizeBytes, createdAtMs }: NonNullable<Activity['files']>[number]) {
  const about = { cfreId: id, type: kind, fileName, mimeType }
  return { ...about, size: sizeBytes, creationTs: instantText(createdAtMs) }
}

function userOut(user: Activity['creator']) {
  return user && { userId: user.id, userName: user.userName, name: user.name }
}
