/** Requests that create or change a case (contract.md §4.5, D-21). */
import { type Static, type TSchema, Type } from 'typebox'
import { cleanText } from '../../kernel/clean-text.ts'
import type { AtMs } from '../../kernel/clock.ts'
import { CASE_LETTERS } from '../../ports/case-repository.ts'
import { type CaseChange, MEMBER_ROLE, type MemberChange } from '../../ports/cases.ts'
import { Id, readInstant } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'

const clearable = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description: `${description}; null clears` }))
const InstantOrNull = (description: string) =>
  Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 40 }), Type.Null()], { description }))
const Text = (maxLength: number, description: string) => Type.String({ maxLength, description })

const ITEMS_MAX = 100
const MemberIn = Type.Object({
  role: Type.Enum([1, 2, 20], { description: '1 assigned user, 2 follower, 20 contact' }),
  user: clearable(Type.Object({ userId: Id('A user of the corporation') }), 'The user, for roles 1 and 2'),
  entityExtension: clearable(Type.Object({ eeexId: Id('A contact of the corporation') }), 'The contact, for role 20'),
  active: Type.Optional(Type.Boolean({ description: 'False ends the role; our addition' })),
  endTs: InstantOrNull('A member with endTs, as answers contain it, is ignored'),
})
const TagIn = Type.Union([
  Type.Object({ name: Text(CASE_LETTERS.tag, 'The tag') }),
  Type.String({ maxLength: CASE_LETTERS.tag, description: 'The tag' }),
])
const ValueIn = Type.Object({
  emprId: Id('An information field'),
  value: Type.Union([Text(CASE_LETTERS.value, 'Its value'), Type.Null()], { description: 'Null removes the value' }),
})

export const CaseIn = Type.Object({
  eactId: Type.Optional(Id('The case to change; if absent, a new case is created')),
  description: Type.Optional(
    Type.String({ minLength: 1, maxLength: CASE_LETTERS.title, pattern: '\\S', description: 'Title of the case' }),
  ),
  status: Type.Optional(Type.Integer({ minimum: 1, maximum: 8, description: 'Internal status; see emsStatus' })),
  corporation: Type.Optional(
    Type.Object(
      { corpId: Id('One of the corporations of the credential') },
      { description: 'The owner; it cannot be changed' },
    ),
  ),
  entityExtension: clearable(Type.Object({ eeexId: Id('The contact') }), 'The contact that the case belongs to'),
  emsStatus: Type.Optional(
    Type.Object(
      { emstId: Id('A status that users defined') },
      {
        description:
          'Without status, it sets the status. If both are given and disagree, the default entry of status is used',
      },
    ),
  ),
  queue: clearable(Type.Object({ ucquId: Id('The queue') }), 'The team that works on the case'),
  category: clearable(Type.Object({ ctnoId: Id('The category') }), 'The subject of the case'),
  priority: Type.Optional(
    Type.Union(
      [
        Type.Object({
          empriId: Type.Optional(Id('The priority')),
          emprId: Type.Optional(Id('The priority; another name of empriId')),
        }),
        Type.Null(),
      ],
      { description: 'Null, or absent for a new case: the default priority' },
    ),
  ),
  deadlineTs: InstantOrNull('Deadline of the case; null clears'),
  onHoldToTs: InstantOrNull('End of the hold; required for status 8, and must be in the future'),
  onHoldComment: clearable(Text(CASE_LETTERS.value, 'The reason'), 'Why it is on hold, in words'),
  emsTags: clearable(Type.Array(TagIn, { maxItems: ITEMS_MAX }), 'All tags'),
  propValues: clearable(
    Type.Array(ValueIn, { maxItems: ITEMS_MAX }),
    'Values of information fields; fields that are not listed keep their values',
  ),
  members: clearable(
    Type.Array(MemberIn, { maxItems: ITEMS_MAX }),
    'Members that begin or end; members that are not listed stay',
  ),
  mergedTo: Type.Optional(
    Type.Union([Type.Object({ eactId: Id('A case of the same corporation') }), Type.Null()], {
      description: 'Merges the case into that case; null undoes the merge within 30 days and needs the scope admin',
    }),
  ),
  updateTs: InstantOrNull('The updateTs that was read; the answer is 412 if the case was changed since'),
})

type Body = Static<typeof CaseIn>

/** Field of a change → the path in a request. */
export const WIRE_NAMES: Readonly<Record<keyof CaseChange, string>> = {
  title: 'description',
  status: 'status',
  custom: 'emsStatus.emstId',
  extension: 'entityExtension.eeexId',
  category: 'category.ctnoId',
  priority: 'priority.empriId',
  team: 'queue.ucquId',
  deadlineAtMs: 'deadlineTs',
  holdUntilMs: 'onHoldToTs',
  holdComment: 'onHoldComment',
  members: 'members',
  tags: 'emsTags',
  values: 'propValues',
  mergedInto: 'mergedTo.eactId',
}

/** Reads a request. Faults are added to `errors`. */
export function readCaseChange(body: Body, errors: FieldError[]): CaseChange & { readonly updatedAtMs?: AtMs | null } {
  const instant = (name: 'deadlineTs' | 'onHoldToTs' | 'updateTs') => {
    const given = body[name]
    if (given === undefined || given === null) return given
    const atMs = readInstant(given)
    if (atMs === undefined)
      errors.push({
        path: name,
        code: 'instant',
        message: 'is not an instant; write ISO 8601 such as 2026-01-02T03:04:05Z',
      })
    return atMs
  }
  const { description, priority } = body
  const title = description === undefined ? undefined : cleanText(description)
  if (title === '') errors.push({ path: 'description', code: 'blank', message: 'is blank; write a title' })
  if (priority?.empriId && priority.emprId && priority.empriId !== priority.emprId) {
    const message = 'empriId and emprId are two names of one field and differ; give one of them'
    errors.push({ path: 'priority', code: 'different', message })
  }
  const change = {
    title,
    status: body.status,
    custom: body.emsStatus?.emstId,
    extension: idOf(body.entityExtension, 'eeexId'),
    category: idOf(body.category, 'ctnoId'),
    team: idOf(body.queue, 'ucquId'),
    priority: priority === null ? null : (priority?.empriId ?? priority?.emprId),
    deadlineAtMs: instant('deadlineTs'),
    holdUntilMs: instant('onHoldToTs'),
    updatedAtMs: instant('updateTs'),
    holdComment: body.onHoldComment && cleanText(body.onHoldComment),
    tags: listOf(body.emsTags, (tag) => [tagOf(tag)].filter((name) => name !== '')),
    values: listOf(body.propValues, ({ emprId, value }) => [{ field: emprId, value: value && cleanText(value) }]),
    members: listOf(body.members, (member, place) => memberOf(member, place, errors)),
    mergedInto: idOf(body.mergedTo, 'eactId'),
  }
  // Absent fields stay unchanged, hence no field may be present as undefined.
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as CaseChange
}

/** Null clears, and absent stays absent. */
function listOf<T, R>(given: readonly T[] | null | undefined, read: (item: T, place: number) => readonly R[]) {
  return given === null ? null : given?.flatMap((item, place) => [...read(item, place)])
}

function idOf<K extends string>(given: Readonly<Record<K, number>> | null | undefined, key: K) {
  return given === null ? null : given?.[key]
}

function tagOf(tag: Static<typeof TagIn>): string {
  return cleanText(typeof tag === 'string' ? tag : tag.name)
}

function memberOf(member: Static<typeof MemberIn>, place: number, errors: FieldError[]): MemberChange[] {
  const { role, active = true, endTs = null } = member
  if (endTs !== null) return []
  const [user, extension] = [member.user?.userId ?? null, member.entityExtension?.eeexId ?? null]
  const isContact = role === MEMBER_ROLE.contact
  const isWrong = isContact ? user !== null : extension !== null
  const isUnnamed = role === MEMBER_ROLE.follower && active && user === null
  if (isWrong || isUnnamed) {
    const message = isContact ? 'is a contact; name it in entityExtension' : 'is a user; name the user in user'
    errors.push({ path: `members[${place}]`, code: 'member', message })
  }
  return [{ role, user, extension, isActive: active } as MemberChange]
}
