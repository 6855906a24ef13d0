/** Where the database holds personal data, for erasure and export. A test checks that every text column is listed. */
import { erasedBytes, erasedText } from '../db/erasure-key.ts'

/** The kinds of records that a person has. */
export type PersonalKind = 'calls' | 'activities' | 'tasks' | 'contacts'

/** One table of a kind. `$1` are the ids of the kind. */
interface PersonalTable {
  readonly kind: PersonalKind
  readonly table: string
  readonly where: string
  /** Columns and their values after an erasure, as SQL; without it the rows are removed. */
  readonly becomes?: Readonly<Record<string, string>>
  /** Which of the rows an erasure removes, where those are not all that an export shows. */
  readonly erases?: string
}

/** Equal numbers or customers give equal hashes, which identify no person: compliance with limits stays provable. */
const hashed = (column: string) =>
  `case when ${column} ~ '^erased:[0-9a-f]{24}$' then ${column} else ${erasedText(column)} end`

/** What agents said: the note, and the values of the fields of an outcome. */
const SAID = { note: 'null', fields: 'null', person_key: 'null' }

/** The order matters: rows found through other tables come first, so an interrupted erasure can be repeated. */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  { kind: 'calls', table: 'transcripts', where: 'activity_id = any($1)' },
  { kind: 'calls', table: 'summaries', where: 'activity_id = any($1)' },
  { kind: 'calls', table: 'call_jobs', where: 'activity_id = any($1)' },
  { kind: 'calls', table: 'call_sound', where: 'call in (select call from call_activities where id = any($1))' },
  { kind: 'calls', table: 'sent_texts', where: 'call in (select call from call_activities where id = any($1))' },
  {
    kind: 'calls',
    table: 'recordings',
    where: 'activity_id = any($1)',
    becomes: { file: `''`, state: `'failed'`, why: `'erased'` },
  },
  { kind: 'calls', table: 'feedback', where: 'activity_id = any($1)', becomes: SAID },
  {
    kind: 'calls',
    table: 'call_activities',
    where: 'id = any($1)',
    becomes: {
      caller: `case when direction = 'in' then ${hashed('caller')} else caller end`,
      called: `case when direction = 'out' then ${hashed('called')} else called end`,
      external_case_number: 'null',
      transfers: `'[]'`,
      has_recording: 'false',
    },
  },
  { kind: 'activities', table: 'files', where: 'activity_id = any($1)' },
  {
    kind: 'activities',
    table: 'case_texts',
    where: 'case_id = any($1)',
    becomes: { text: `''`, original: `''` },
  },
  {
    kind: 'activities',
    table: 'case_logs',
    where: 'case_id = any($1)',
    becomes: { was: 'null', becomes: 'null', why: 'null' },
  },
  { kind: 'activities', table: 'case_values', where: 'case_id = any($1)' },
  { kind: 'activities', table: 'activity_tags', where: 'activity_id = any($1)' },
  // Unused ones are nobody's vocabulary: they are typed again.
  {
    kind: 'activities',
    table: 'tags',
    where: 'id in (select tag_id from activity_tags where activity_id = any($1))',
    erases: `corporation_id in (select corporation_id from activities where id = any($1))
      and not exists (select from activity_tags g where g.tag_id = tags.id)`,
  },
  { kind: 'activities', table: 'cases', where: 'activity_id = any($1)', becomes: { hold_comment: 'null' } },
  {
    kind: 'activities',
    table: 'outgoing_emails',
    where: 'activity_id = any($1)',
    // A queued email has no recipient any more.
    becomes: {
      state: `case when state = 'queued' then 'failed' else state end`,
      next_at_ms: 'null',
      why: 'null',
      undelivered: `'{}'`,
      progress: 'null',
    },
  },
  {
    kind: 'activities',
    table: 'emails',
    where: 'activity_id = any($1)',
    becomes: {
      // Keyed, so that the email is known when it comes again (`../mail/store-mail.ts`).
      message_id: hashed('message_id'),
      refs: `'{}'`,
      in_reply_to: 'null',
      threaded: `''`,
      fingerprint: `case when message_id ~ '^erased:[0-9a-f]{24}$' then fingerprint
        else ${erasedBytes('fingerprint')} end`,
      sender: 'null',
      sender_name: `''`,
      recipients: `'[]'`,
      copies: `'[]'`,
      parties: `'{}'`,
      body_text: `''`,
    },
  },
  {
    kind: 'activities',
    table: 'activities',
    where: 'id = any($1)',
    becomes: { subject: `''` },
    // A conversation has the subject of its first email, and may go on with others.
    erases: `id in (select unnest($1::bigint[]) union
      select c.id from activity_links l join activities m on m.id = l.from_id join activities c on c.id = l.to_id
       where l.from_id = any($1) and l.type = 13 and c.subject = m.subject)`,
  },
  { kind: 'tasks', table: 'call_task_numbers', where: 'task_id = any($1)' },
  { kind: 'tasks', table: 'call_task_properties', where: 'task_id = any($1)' },
  { kind: 'tasks', table: 'feedback', where: 'task_id = any($1)', becomes: SAID },
  {
    kind: 'tasks',
    table: 'attempts',
    where: 'task_id = any($1)',
    becomes: { number: hashed('number'), person_key: hashed('person_key'), permit: 'null', transfers: 'null' },
  },
  {
    kind: 'tasks',
    table: 'call_tasks',
    where: 'id = any($1)',
    becomes: {
      receiver_name: `''`,
      external_customer: 'null',
      external_case_number: 'null',
      finish_reason: 'null',
      callback_number: 'null',
      duplicate_key: `'erased:' || id`,
      person_key: hashed('person_key'),
    },
  },
  { kind: 'contacts', table: 'entity_numbers', where: 'entity_id = any($1)' },
  { kind: 'contacts', table: 'entity_removed_numbers', where: 'entity_id = any($1)' },
  {
    kind: 'contacts',
    table: 'entity_extensions',
    where: 'entity_id = any($1)',
    becomes: { external_system_id: 'null', external_customer: 'null' },
  },
  {
    kind: 'contacts',
    table: 'entities',
    where: 'id = any($1)',
    becomes: { name: `''`, second_name: `''`, language: 'null' },
  },
]

/** The main table of each kind; its rows hold the instant of their erasure. */
export const MARKED: Readonly<Record<PersonalKind, string>> = {
  calls: 'call_activities',
  activities: 'activities',
  tasks: 'call_tasks',
  contacts: 'entities',
}

/** Text columns without personal data of contacts, or with a reason to keep it. `*`: all columns of the table. */
export const HOLDS_NOTHING: readonly (readonly [table: string, columns: string, why: string])[] = [
  ['activities', 'kind direction', 'words of ours'],
  ['attempt_corrections', '*', 'an agent’s word about a result'],
  ['attempts', 'leg result agent reach made_for heard', 'agents, and words of ours'],
  ['audit_heads', '*', 'hashes'],
  ['audit_intents', '*', 'ids alone; part of the audit trail within minutes'],
  ['audit_records', '*', 'ids alone; goes after five years'],
  ['call_activities', 'call leg direction result agent hung_up_by team node', 'agents, nodes, and words of ours'],
  ['call_tasks', 'import_id status reserved_by callback_by waits_for', 'agents, and words of ours'],
  ['campaign_outcomes', '*', 'the corporation’s own words'],
  ['campaigns', '*', 'the corporation’s own words'],
  ['case_logs', 'what', 'a word of ours for the kind of change'],
  ['categories', '*', 'the corporation’s own words'],
  ['corporations', '*', 'the corporation’s own words'],
  ['counters', '*', 'names of ours'],
  ['courier_leases', '*', 'names of nodes'],
  ['credentials', '*', 'of users and systems; goes with its life'],
  ['deliveries', '*', 'ids and states; goes with its event after 30 days'],
  ['delivery_attempts', '*', 'how a receiver’s answer began; goes with its event after 30 days'],
  ['dial_state', '*', 'who turned the kill switch'],
  ['emails', 'automatic authentication mailbox', 'words of ours for why, results of our server, and our own mailbox'],
  ['ems_statuses', '*', 'the corporation’s own words'],
  ['entities', 'kind', 'private or company'],
  ['entity_extensions', 'kind', 'a word of ours'],
  ['events', '*', 'thin: ids alone; goes after 30 days'],
  ['external_systems', '*', 'the corporation’s own words'],
  ['feedback', 'agent feedback_type event_name', 'agents, and words of ours'],
  ['flow_canaries', '*', 'words of people who work here, names of steps, and counts'],
  ['flow_canary_counts', '*', 'counts of calls by step, of nobody in particular'],
  ['flow_ended_calls', '*', 'how one call went, without its name; gone within seconds'],
  ['flow_traffic', '*', 'counts of calls by step and hour, of nobody in particular'],
  ['flow_events', '*', 'what waiting callers wait for; kept for ten minutes, gone within an hour'],
  ['flow_drafts', '*', 'words of people who work here'],
  ['flow_files', '*', 'names of nodes, and hashes'],
  ['flow_publications', '*', 'words of people who work here'],
  ['flow_revisions', '*', 'flows, and words of people who work here'],
  ['greetings', '*', 'how a machine sounds for 2 s, in 200 bytes: no word and no voice can be made of them'],
  ['idempotency_keys', '*', 'sealed answers, kept for a day'],
  ['import_jobs', '*', 'counts and states; goes after 30 days'],
  ['import_pieces', '*', 'taken away as soon as the piece is settled, or the import ends'],
  ['imports', '*', 'ids and reasons of refusals'],
  ['left_bytes', '*', 'random names of files and recordings that were erased; goes after 30 days'],
  ['legal_holds', '*', 'says whom it is about until it is lifted: nothing of them may be erased before'],
  ['mailboxes', '*', 'our own mailboxes'],
  ['node_leases', '*', 'names of nodes'],
  ['agent_nodes', '*', 'agents who are logged in'],
  ['setup_revisions', '*', 'agents and teams of the configuration'],
  ['queue_places', '*', 'names of calls and instants; goes with the call task'],
  ['campaign_learning', '*', 'counts of lines and talks by their lengths, of nobody in particular'],
  ['outgoing_emails', 'node', 'names of nodes'],
  ['open_calls', '*', 'calls that are up; goes with their end'],
  ['priorities', '*', 'the corporation’s own words'],
  ['property_fields', '*', 'the corporation’s own words'],
  ['seats', '*', 'agents who are logged in, or when they last logged out; replaced by their next shift, or swept'],
  ['second_factors', '*', 'of people who work here; they are no contacts'],
  ['service_keys', '*', 'keys of ours'],
  ['stopped_numbers', '*', 'who asked not to be called must be remembered, or they would be called again'],
  ['stopped_persons', '*', 'who asked not to be called must be remembered, or they would be called again'],
  ['teams', '*', 'the corporation’s own words'],
  ['users', '*', 'people who work here; they are no contacts'],
  ['webhook_subscriptions', '*', 'of integrators'],
]
