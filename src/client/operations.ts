/** All operations, generated from the OpenAPI document by npm run generate:client. Do not edit. */

type Activity = {
  /** Id of an activity: a call, an email, a conversation or a case */
  readonly eactId: number
  /** 10 call, 11 email, 15 case, 21 email conversation */
  readonly activityType: {
    /** Activity type: 10 call, 11 email, 15 case, 21 email conversation */
    readonly eatyId: number
    /** Display name */
    readonly name: string
  }
  /** Of a case its title; null for a call */
  readonly subject: string | null
  /** Of a case, 1 to 8; null of others */
  readonly status: number | null
  /** 1 came in, 2 went out; null where it did neither */
  readonly direction: number | null
  /** When it was made */
  readonly creationTs: string | null
  /** When it was changed last */
  readonly updateTs: string | null
  /** Of a call, when it was answered */
  readonly startTs: string | null
  /** When it was over */
  readonly endTs: string | null
  /** Null where no user made it */
  readonly creator: ActivityCreator | null
  /** The corporation that owns the record */
  readonly corporation: WithCorpId
  /** The contact that it is about; null where none is known. */
  readonly entityExtension: WithEeexId | null
  /** From it and to it; at most 1,000, the oldest */
  readonly links: readonly ({
    /** 13 email to its conversation, 14 to its case, 16 case to the one it is part of */
    readonly type: number
    /** Where it begins */
    readonly from: LinkWithEactId
    /** What it points at */
    readonly to: LinkWithEactId
  })[]
  /** Of a call */
  readonly recordings: readonly ({
    /** Id of a recording; use it to search for transcripts */
    readonly pcreId: number
    /** From … */
    readonly startTs: string | null
    /** … to */
    readonly endTs: string | null
    /** Its file; null where recording failed */
    readonly cfreId: number | null
  })[]
  /** With getMembers */
  readonly members?: readonly ({
    /** 1 assigned user, 2 follower, 20 contact */
    readonly role: number
    /** Of roles 1 and 2 */
    readonly user: ActivityCreator | null
    /** Of role 20 */
    readonly entityExtension: WithEeexId | null
    /** Since when */
    readonly startTs: string | null
    /** Until when; null while active */
    readonly endTs: string | null
  })[]
  /** With getFiles */
  readonly coreFileReferences?: readonly ({
    /** Id of a file, for GET /rest/core/corefile */
    readonly cfreId: number
    /** 1 inline image, 2 attachment, 3 put there by hand, 17 content of an email */
    readonly type: number
    /** As its sender called it */
    readonly fileName: string
    /** As its sender called it */
    readonly mimeType: string
    /** In bytes */
    readonly size: number
    /** When it came */
    readonly creationTs: string | null
  })[]
  /** With getEmsTags */
  readonly emsTags?: readonly ({
    /** Id */
    readonly id: number
    /** Display name */
    readonly name: string
  })[]
}

type ActivityCreator = {
  /** Id of a user */
  readonly userId: number
  /** Login name */
  readonly userName: string
  /** Display name */
  readonly name: string
}

type ActivitySummary = {
  /** The call activity. */
  readonly eactId: number
  /** The same: a call has one summary. */
  readonly phoneCallSummaryId: number
  /** pending, ready, failed */
  readonly status: string
  /** Plain text; show it as text and never as HTML. Null until there is one. */
  readonly text: string | null
  /** BCP 47; null until there is a generated text. */
  readonly language: string | null
  /** Grows by one with every text; 0 until there is one. */
  readonly version: number
  /** When it was begun. */
  readonly creationTs: string | null
  /** When it was changed last. */
  readonly updateTs: string | null
  /** generated, edited */
  readonly source: string
  /** Who wrote the text; null for a machine or a system. */
  readonly updatedBy: {
    /** Id of a user */
    readonly userId: number
  } | null
}

type ActivitylinkWithEactId = {
  /** The activity */
  readonly eactId: number
}

type Agent = {
  /** Id of a user */
  readonly userId: number | null
  /** Display name */
  readonly name: string
}

type CallAttempt = {
  /** Id of a call attempt */
  readonly iccaId: number
  /** Id of a call task */
  readonly itcaId: number
  /** Code of a campaign */
  readonly callCode: number
  /** Of the call activity; it is there when the call is over. */
  readonly eactId: number
  /** From 1. */
  readonly attemptNo: number
  /** Phone number of the other party */
  readonly callNumber: string
  /** When we dialed. */
  readonly dialTs: string | null
  /** When the phone began to ring. */
  readonly ringTs: string | null
  /** When the line was answered, by whom or what ever. */
  readonly startTs: string | null
  /** When it was over. */
  readonly endTs: string | null
  /** 0 IN_PROGRESS, 1 ANSWERED, 2 NO_ANSWER, 3 BUSY, 4 VOICEMAIL, 5 DROPPED, 6 LOST, 7 FAILED, 8 INVALID_NUMBER, 9 REJECTED, 10 CANCELLED, 11 BLOCKED, 12 UNKNOWN */
  readonly result: number
  /** Result name */
  readonly resultName: string
  /** A person, connected to an agent. At most one of the four is true. */
  readonly answered: boolean
  /** Whether a machine answered */
  readonly voicemail: boolean
  /** A person answered, and no agent was there. */
  readonly dropped: boolean
  /** The other side hung up before an agent was there. */
  readonly lost: boolean
  /** Q.850 cause code of the hangup */
  readonly hangupCause: number | null
  /** SIP status code from the carrier */
  readonly sipStatus: number | null
  /** The agent; null if there was none */
  readonly agent: Agent | null
  /** Ring time in seconds */
  readonly ringSeconds: number | null
  /** Talk time in seconds */
  readonly talkSeconds: number
}

type CallCode = {
  /** Code of a campaign */
  readonly callCode: number
  /** Display name */
  readonly name: string
  /** Whether the record is in use */
  readonly active: boolean
  /** The corporation that owns the record */
  readonly corporation: WithCorpId
  /** The external system that the record belongs to */
  readonly externalSystem: {
    /** Id of an external system */
    readonly itsyId: number
    /** Code of an external system */
    readonly systemCode: string | null
  } | null
  /** The queue: the team whose agents take the calls */
  readonly queue: CallcodeQueue | null
  /** Why it paused itself, for too many of its calls failed; active: true lifts it. Else null. */
  readonly pausedReason: string | null
  /** Whether it can dial and takes call tasks. */
  readonly ready: boolean
  /** What it lacks, where it is not ready. */
  readonly missing: readonly string[]
  /** When it was made. */
  readonly creationTs: string | null
  /** When it last changed. */
  readonly updateTs: string | null
  /** The number that callees see: + and digits. */
  readonly callerId?: string
  /** A carrier of the set-up, by its name. */
  readonly trunk?: string
  /** How calls are placed */
  readonly dialMode?: "manual" | "preview" | "progressive" | "power" | "predictive"
  /** Numbers of one call task that are rung at once. */
  readonly parallelCalls?: number
  /** Lines for each idle agent, in mode power. */
  readonly linesPerAgent?: number
  /** How mode predictive decides: policy E, algorithm B or algorithm A; price if absent. */
  readonly pacing?: "price" | "risk" | "ratio"
  /** Another way that is only watched: what it would have dialed is shown beside what was. */
  readonly shadowPacing?: "price" | "risk" | "ratio" | "oneToOne"
  /** Lines for each agent, whatever the mode. */
  readonly linesPerAgentMax?: number
  /** Abandoned calls of a day per answered one: 3 % at most, and 3 % where no ledgers are set. */
  readonly maxAbandonRate?: number
  /** Further limits on abandoned calls, or others than that of a day: all of them hold at once. */
  readonly ledgers?: readonly ({
    /** Abandoned calls per answered one. */
    readonly maxAbandonRate: number
    /** A calendar day (the default), any 24 hours, a calendar month, or each 30 days after 30 days, from `since` on. */
    readonly window?: "day" | "24hours" | "month" | "30days"
    /** With 30days: the first day of the campaign. */
    readonly since?: string
    /** Whose calls count: the campaign (the default), the client (the corporation), or the caller id of the client. */
    readonly scope?: "campaign" | "client" | "callerId"
    /** Which answers count: those of persons (the default), or of machines too. */
    readonly denominator?: "answeredByPerson" | "allAnswered"
    /** How long a person waits for an agent before the call is abandoned: 2 if absent. */
    readonly waitSeconds?: number
    /** From when the wait counts: when it is plain that a person speaks (the default), or the answer itself. */
    readonly waitFrom?: "greeting" | "answer"
  })[]
  /** A phone is left ringing 15 s at least. */
  readonly ringTimeoutSeconds?: number
  /** What happens after a conversation */
  readonly wrapUpMode?: "timed" | "byHand"
  /** Wrap-up time in seconds */
  readonly wrapUpSeconds?: number
  /** Times when calls may be placed */
  readonly callWindows?: readonly ({
    /** 1 is Monday, 7 is Sunday. */
    readonly days: readonly number[]
    /** Wall time where the callee lives, such as 08:00. */
    readonly from: string
    /** Up to but without this minute; 24:00 is midnight. */
    readonly to: string
    /** An IANA zone; the same one in all windows. */
    readonly timeZone?: string
  })[]
  /** Calendar that defines the holidays */
  readonly holidayCalendar?: "DK" | "none"
  /** Further dates on which nobody is called. */
  readonly holidays?: readonly string[]
  /** Answering machine detection */
  readonly machineDetection?: {
    /** Whether the feature is on */
    readonly enabled: boolean
    /** Action */
    readonly action?: "hangup" | "leaveMessage"
  }
  /** Whether calls are recorded */
  readonly recording?: {
    /** When the feature applies */
    readonly mode: "off" | "consent" | "always"
    /** Announcement that is played first */
    readonly announcement?: string
    /** False: not written down, also where the installation does so. True if absent. */
    readonly transcribe?: boolean
    /** Language as a BCP 47 tag */
    readonly language?: string
  }
  /** What is said to a person for whom no agent is free, and to a machine. */
  readonly messages?: {
    /** Whether a person answered and no agent was available */
    readonly dropped?: WithTextLanguage
    /** Announcement for a callee who answered while no agent was available */
    readonly apology?: WithTextLanguage
    /** Whether a machine answered */
    readonly voicemail?: WithTextLanguage
  }
  /** Countries (ISO 3166-1) that may be called; the country of the caller id when absent. */
  readonly allowedDestinations?: readonly string[]
  /** Calls to one person in any so many days, over all campaigns. */
  readonly frequencyCap?: {
    /** Maximum number of calls */
    readonly calls: number
    /** Days */
    readonly days: number
    /** Days without a call after a conversation */
    readonly quietDaysAfterTalk?: number
  }
  /** What happens after a dropped call */
  readonly afterDropped?: "quietAndAgent" | "quietOrAgent"
  /** Import a call task without its invalid numbers */
  readonly skipInvalidNumbers?: boolean
  /** Import a call task without its stopped numbers */
  readonly dropStoppedNumbers?: boolean
  /** Days after final feedback during which the customer cannot be imported */
  readonly feedbackQuarantineDays?: number
  /** Whether the external system must have a popup URL */
  readonly requiresPopup?: boolean
}

type CallTask = {
  /** In answers to an import. */
  readonly callTaskIndex?: number
  /** Id of a call task */
  readonly itcaId: number
  /** Of the campaign. */
  readonly callCode: number
  /** Name of the callee */
  readonly callReceiverName: string
  /** Customer id in the external system */
  readonly extCustId: string | null
  /** Case number in the external system */
  readonly systemLookupCode: string | null
  /** 1 NEW, 2 READY, 3 RESERVED, 4 DIALING, 5 IN_CALL, 6 WAITING, 7 CALLBACK, 8 PAUSED, 20 ANSWERED, 21 MAX_ATTEMPTS, 22 ENDED_BY_SYSTEM, 23 ENDED_BY_USER, 24 STOPPED, 25 EXPIRED, 26 NO_CALLABLE_NUMBER */
  readonly statusId: number
  /** Whether the call task is finished */
  readonly finished: boolean
  /** Whether a person was connected to an agent */
  readonly answered: boolean
  /** Attempts that count towards maxCallAttempts. */
  readonly callAttemptCount: number
  /** Not before then. */
  readonly nextCallTs: string | null
  /** The contact or an agent wished for it. */
  readonly callBackTs: string | null
  /** When it was imported. */
  readonly creationTs: string | null
  /** When it last changed. */
  readonly updateTs: string | null
  /** Numbers to dial, in order */
  readonly callNumberList?: readonly ({
    /** As it was imported. */
    readonly number: string
    /** The phone number in E.164 format */
    readonly e164: string
    /** From 0. */
    readonly position: number
    /** Whether the entry is on the stop list */
    readonly stopped: boolean
  })[]
  /** Information fields and their values */
  readonly properties?: readonly ({
    /** Id of an information field; under priority, the id of a priority */
    readonly emprId: number
    /** Display name */
    readonly name: string
    /** The value */
    readonly value: string
  })[]
  /** Maximum number of unanswered attempts */
  readonly maxCallAttempts?: number
  /** Minimum hours between two attempts */
  readonly minCallIntervalHours?: number
  /** The external system that the record belongs to */
  readonly externalSystem?: CallTaskExternalSystem | null
  /** The corporation that owns the record */
  readonly corporation?: WithCorpId
  /** The user who is responsible */
  readonly assignedUser?: {
    /** Id of a user */
    readonly userId: number
    /** Display name */
    readonly name: string
  } | null
  /** When it was last dialed. */
  readonly lastCallTs?: string | null
  /** The last call attempt */
  readonly lastAttempt?: {
    /** Id of a call attempt */
    readonly iccaId: number
    /** Result code */
    readonly result: number
  } | null
  /** When it was finished. */
  readonly finishedTs?: string | null
  /** Why the call task was finished */
  readonly finishReason?: string | null
  /** Id of an import */
  readonly importId?: string | null
  /** Call attempts, oldest first */
  readonly callAttempts?: readonly CallAttempt[]
}

type CallTaskError = {
  /** Place in the submitted list, from 0. */
  readonly callTaskIndex: number
  /** 1, 12, 101, 102, 103, 201, 202, 203, 204 */
  readonly errorCodes: readonly number[]
  /** Error as text */
  readonly errorText: string
}

type CallTaskExternalSystem = {
  /** Id of an external system */
  readonly itsyId: number
  /** Code of an external system */
  readonly systemCode: string
}

type CallcodeQueue = {
  /** Id of a queue */
  readonly ucquId: number | null
  /** Display name */
  readonly name: string
}

type CallcodeWithCorpIdIn = {
  /** Whose campaign it is; it cannot be changed */
  readonly corpId: number | string
}

type CalltaskgetWithCallCodeIn = {
  /** Code of a campaign */
  readonly callCode: number
}

type Case = {
  /** Id of an activity: a call, an email, a conversation or a case */
  readonly eactId: number
  /** The corporation that owns the record */
  readonly corporation: WithCorpId
  /** Type of the activity */
  readonly activityType: {
    /** Always 15 */
    readonly eatyId: 15
    /** Display name */
    readonly name: "case"
  }
  /** Number for people: a case number or a customer number */
  readonly seqNo: number
  /** Always the internalStatus of emsStatus */
  readonly status: number
  /** Title of the case */
  readonly description: string
  /** When it was made */
  readonly creationTs: string | null
  /** When the case itself was changed last; what is linked to it does not count */
  readonly updateTs: string | null
  /** Null: a system, in nobody’s name */
  readonly creator: CaseCreator | null
  /** The contact that the case belongs to */
  readonly entityExtension: WithEeexId | null
  /** What it is about */
  readonly category: Category | null
  /** The priority */
  readonly priority: Priority
  /** The custom status; its internalStatus determines how the case behaves */
  readonly emsStatus: EmsStatus
  /** When the status was changed last */
  readonly emsStatusChangeTs: string | null
  /** The last open status; a reopened case returns to it */
  readonly emsStatusLastOpen: EmsStatus
  /** The last communication of ours, such as an email sent or a comment */
  readonly internalUpdateTs: string | null
  /** The last communication from outside, such as an email received */
  readonly externalUpdateTs: string | null
  /** Until when it is to be done */
  readonly deadlineTs: string | null
  /** Whose work it is */
  readonly queue: UserQueue | null
  /** Until when it is on hold */
  readonly onHoldToTs: string | null
  /** Why it is on hold, in words */
  readonly onHoldComment: string | null
  /** The case that it was merged into; null for all others */
  readonly mergedTo: LinkWithEactId | null
  /** Members with the start and end of their membership */
  readonly members: readonly ({
    /** 1 assigned user, 2 follower, 20 contact */
    readonly role: number
    /** Since when */
    readonly startTs: string | null
    /** Until when; null while it goes on */
    readonly endTs: string | null
    /** Who; null for a contact */
    readonly user: CaseCreator | null
    /** The contact; null for a user */
    readonly entityExtension: WithEeexId | null
  })[]
  /** Links from and to other activities */
  readonly links: readonly ({
    /** 14 into a case, 16 sub-case into case */
    readonly type: number
    /** Where it begins */
    readonly from: LinkWithEactId
    /** Where it ends */
    readonly to: LinkWithEactId
  })[]
  /** Comments */
  readonly texts: readonly Text[]
  /** Changes: what was changed, when, and by which user */
  readonly logs: readonly ({
    /** What was changed: status, assigned user, follower, contact, title, link … */
    readonly what: string
    /** What it was; null for what is new */
    readonly oldValue: unknown
    /** What it became */
    readonly newValue: unknown
    /** Why, where nobody did it by hand */
    readonly reason: string | null
    /** Null: a system, in nobody’s name */
    readonly user: CaseCreator | null
    /** When */
    readonly creationTs: string | null
  })[]
  /** Tags */
  readonly emsTags: readonly ({
    /** Id */
    readonly id: number
    /** The tag */
    readonly name: string
  })[]
  /** Files */
  readonly coreFileReferences: readonly ({
    /** Id of a file, for GET /rest/core/corefile */
    readonly cfreId: number
    /** 1 inline image, 2 attachment, 3 put there by hand */
    readonly type: number
    /** File name */
    readonly fileName: string
    /** Media type */
    readonly mimeType: string
    /** In bytes */
    readonly size: number
    /** When it came */
    readonly creationTs: string | null
  })[]
  /** Values of information fields */
  readonly propValues: readonly ({
    /** The information field */
    readonly emprId: number
    /** Its name */
    readonly name: string
    /** Its value */
    readonly value: string
  })[]
}

type CaseCreator = {
  /** Id of a user */
  readonly userId: number
  /** Who signs on by this name */
  readonly userName: string
  /** As people call them */
  readonly name: string
}

type CaseWithCorpIdIn = {
  /** One of the corporations of the credential */
  readonly corpId: number | string
}

type Category = {
  /** Id of a category */
  readonly ctnoId: number
  /** The one above it; null at the top */
  readonly parent: {
    /** Id of a category */
    readonly ctnoId: number
  } | null
  /** As people call it */
  readonly name: string
  /** False: it is kept, and can be given to nothing more */
  readonly active: boolean
  /** Position in the list, lowest first */
  readonly sortOrder: number
}

type Corporation = {
  /** Id of a corporation */
  readonly corpId: number
  /** Display name */
  readonly name: string
}

type Delivery = {
  /** Id of a delivery */
  readonly deliveryId: number
  /** Id of a subscription */
  readonly webhookId: number
  /** Event id: the webhook-id of every attempt */
  readonly eventId: string
  /** Event type */
  readonly eventType: string
  /** Time of the event */
  readonly eventTs: string | null
  /** pending, waiting, delivered, dead, parked */
  readonly status: string
  /** How the last attempt ended */
  readonly reason: string
  /** Time of the next attempt; null if there is none */
  readonly nextTs: string | null
  /** Attempts, oldest first */
  readonly attempts: readonly ({
    /** Start of the attempt */
    readonly ts: string | null
    /** Duration in milliseconds */
    readonly durationMs: number
    /** Outcome: answered, timeout, network, forbidden, tooLarge or unavailable */
    readonly outcome: string
    /** HTTP status; null if there was no response */
    readonly code: number | null
    /** The first 1,024 characters of the response, or why there was none */
    readonly answer: string
  })[]
}

type EmsStatus = {
  /** Id of a custom status */
  readonly emstId: number
  /** 1 open, 2 closed, 3 awaiting external action, 4 deleted, 5 merged, 6 spam, 7 awaiting internal action, 8 on hold */
  readonly internalStatus: number
  /** Whether this entry applies if none is given */
  readonly default: boolean
  /** Colour of the screens */
  readonly color: string | null
  /** As people call it */
  readonly name: string
  /** False: it is kept, and can be given to nothing more */
  readonly active: boolean
  /** Position in the list, lowest first */
  readonly sortOrder: number
}

type ExportIn = {
  /** Role id of the contact */
  readonly eeexId?: number | string | undefined
  /** Contact id */
  readonly emenId?: number | string | undefined
  /** External system of the customer; requires extCustId */
  readonly systemCode?: string | undefined
  /** Customer id in the external system; requires systemCode */
  readonly extCustId?: string | undefined
  /** Phone number that belongs only to this person */
  readonly number?: string | undefined
  /** Email address; covers emails of this address, not a contact */
  readonly email?: string | undefined
  /** Corporation; default: the first one of the credential */
  readonly corporation?: ExportWithCorpIdIn | undefined
  /** Reason, for example a request number; stored for years, so it must not contain names */
  readonly reason: string
}

type ExportWithCorpIdIn = {
  /** Corporation id */
  readonly corpId: number | string
}

type Externalsystem = {
  /** Id of an external system */
  readonly itsyId: number
  /** Code of an external system */
  readonly systemCode: string
  /** Display name */
  readonly name: string
  /** The corporation that owns the record */
  readonly corporation: WithCorpId
  /** URL that is opened with a call; {$CODE} is replaced by the case number */
  readonly popupUrlTemplate: string | null
  /** How cases are looked up; null if lookup is off */
  readonly lookup: {
    /** https://…/CaseInfo/{caseNumber} */
    readonly urlTemplate: string
    /** Header that carries the secret */
    readonly authHeaderName?: string
    /** Name of a secret of the set-up, never the secret */
    readonly authSecretRef?: string
    /** Timeout in milliseconds */
    readonly timeoutMs?: number
  } | null
  /** Additional hosts that may be called */
  readonly allowedHosts: readonly string[]
  /** Whether the record is in use */
  readonly active: boolean
}

type ExternalsystemWithCorpIdIn = {
  /** The asker’s first when absent */
  readonly corpId: number | string
}

type Import = {
  /** Id of an import */
  readonly importId: string
  /** Status of the import */
  readonly importStatus: "queued" | "running" | "completed" | "failed" | "cancelled"
  /** Code of an external system */
  readonly systemCode: string
  /** Code of a campaign */
  readonly callCode: number
  /** Number of submitted call tasks */
  readonly submittedCount: number
  /** Number of created call tasks */
  readonly importedCount: number
  /** Number of call tasks that were not imported */
  readonly failedCount: number
  /** Why it failed. */
  readonly statusText: string | null
  /** When it was asked for. */
  readonly creationTs: string | null
  /** When the first call tasks were looked at. */
  readonly startedTs: string | null
  /** When it was over. */
  readonly finishedTs: string | null
}

type Infofield = {
  /** Of an information field: no priority, which has numbers of its own */
  readonly emprId: number
  /** Display name */
  readonly name: string
  /** The corporation that owns the record */
  readonly corporation: WithCorpId
  /** Whether the record is in use */
  readonly active: boolean
}

type Killswitch = {
  /** Whether the switch is on */
  readonly on: boolean
  /** Who turned it last; null for other corporations than the one that runs the house. */
  readonly by: string | null
  /** When. */
  readonly ts: string | null
  /** Send it back, with on: false, to lift the kill switch. */
  readonly confirm?: string
  /** Then it is too late. */
  readonly confirmUntilTs?: string | null
}

type LinkWithEactId = {
  /** Id of an activity: a call, an email, a conversation or a case */
  readonly eactId: number
}

type LookupIn = {
  /** https://…/CaseInfo/{caseNumber} */
  readonly urlTemplate: string
  /** Header that carries the secret */
  readonly authHeaderName?: string | undefined
  /** Name of a secret of the set-up, never the secret */
  readonly authSecretRef?: string | undefined
  /** Timeout in milliseconds */
  readonly timeoutMs?: number | undefined
}

type NumberIn = {
  /** Rows per page: default 50; 0 or less means 1000; maximum 50000 */
  readonly limit?: number | undefined
  /** Page number, starting at 1; default 1 */
  readonly pageNumber?: number | undefined
}

type Priority = {
  /** Id of a priority, as retrieval names it */
  readonly emprId: number
  /** Id of a priority; the same value as emprId */
  readonly empriId: number
  /** Urgency; a higher level is more urgent */
  readonly level: number
  /** Whether this entry applies if none is given */
  readonly default: boolean
  /** Colour of the screens */
  readonly color: string | null
  /** As people call it */
  readonly name: string
  /** False: it is kept, and can be given to nothing more */
  readonly active: boolean
  /** Position in the list, lowest first */
  readonly sortOrder: number
}

type Text = {
  /** Id of a comment */
  readonly textId: number
  /** HTML, made safe to be shown */
  readonly text: string
  /** The case it is about */
  readonly activity: LinkWithEactId
  /** When it was written */
  readonly creationTs: string | null
  /** Null: a system, in nobody’s name */
  readonly creator: CaseCreator | null
  /** Visible only inside the corporation */
  readonly internal: boolean
  /** The comment came from outside and may reopen the case */
  readonly external: boolean
}

type ToIn = {
  /** Address */
  readonly address: string
  /** Display name */
  readonly name?: string | undefined
}

type Token = {
  /** Secret; returned only once */
  readonly tokenv2: string
  /** Public id */
  readonly rcntrl: string
  /** Check value */
  readonly ccntrl: string
  /** Expiry */
  readonly expiresTs: string | null
}

type UserQueue = {
  /** Id of a queue */
  readonly ucquId: number
  /** Display name */
  readonly name: string
}

type Webhook = {
  /** Id of a subscription */
  readonly webhookId: number
  /** The corporation that owns the record */
  readonly corporation: WithCorpId
  /** URL that events are sent to */
  readonly url: string
  /** Events */
  readonly events: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[]
  /** Only calls of these external systems; empty: all calls */
  readonly systemCodes: readonly string[]
  /** Description */
  readonly description: string
  /** Whether the record is in use */
  readonly active: boolean
  /** Why the subscription is disabled: owner, gone (status 410) or silent (five days without success) */
  readonly disabledBecause: "owner" | "gone" | "silent" | null
  /** Time when it was disabled */
  readonly disabledTs: string | null
  /** Time of the first failure after the last success */
  readonly failingSinceTs: string | null
  /** Deliveries are paused after many failures; the endpoint is only probed until it responds */
  readonly isPaused: boolean
  /** Creation time */
  readonly creationTs: string | null
  /** Time of the last change */
  readonly updateTs: string | null
}

type WithAddressName = {
  /** Address in lower case */
  readonly address: string
  /** Display name; empty if none was given */
  readonly name: string
}

type WithAllIn = {
  /** Also those that are not active */
  readonly all?: boolean | undefined
}

type WithAllIn2 = {
  /** Also those that are not used any more */
  readonly all?: boolean | undefined
}

type WithCallCodeIn = {
  /** The campaign */
  readonly callCode: number | string
}

type WithCorpId = {
  /** Id of a corporation */
  readonly corpId: number
}

type WithCount = {
  /** Entries that are on the list now. */
  readonly count: number
}

type WithCount2 = {
  /** Entries that were on the list. */
  readonly count: number
}

type WithCtnoIdIn = {
  /** The category */
  readonly ctnoId: number | string
}

type WithEactIdIn = {
  /** The activity */
  readonly eactId: number | string
}

type WithEeexId = {
  /** Id of a contact’s role, such as customer */
  readonly eeexId: number
}

type WithImportIdIn = {
  /** Id of an import */
  readonly importId: string
}

type WithItsyIdIn = {
  /** The external system */
  readonly itsyId: number | string
}

type WithMeanLowHigh = {
  /** The mean of the days. */
  readonly mean: number
  /** Where its 95 % interval begins. */
  readonly low: number
  /** Where its 95 % interval ends. */
  readonly high: number
}

type WithOverlapHoursIn = {
  /** Hours during which the old credential stays valid; default 24 */
  readonly overlapHours?: number | undefined
}

type WithRcntrlIn = {
  /** Public id */
  readonly rcntrl: string
}

type WithSecret = {
  /** Signing secret (whsec_…); returned only once */
  readonly secret: string
}

type WithTextLanguage = {
  /** The text */
  readonly text: string
  /** Language as a BCP 47 tag */
  readonly language?: string
}

type WithUcquIdIn = {
  /** The team whose agents take the calls */
  readonly ucquId: number | string
}

type WithWebhookIdIn = {
  /** The subscription */
  readonly webhookId: number | string
}

/** Operations by method and path. */
export interface Operations {
  /** Get the endpoint of the node that serves all other operations. */
  readonly 'GET /rest/api/state': {
    readonly answer: {
      /** Base URL of the node that serves all other operations */
      readonly endpoint: string
    }
  }
  /** Log in with a password. */
  readonly 'POST /rest/api/login': {
    readonly body: {
      /** Login name */
      readonly userName: string
      /** The password */
      readonly password: string
    }
    readonly answer: {
      /** The secret of the credential */
      readonly tokenv2: string
      /** Public id of the credential */
      readonly rcntrl: string
      /** Check value of the credential */
      readonly ccntrl: string
      /** Expiry: 12 h after the last use, at most 24 h after login */
      readonly expiresTs: string | null
    }
  }
  /** Issue a credential. */
  readonly 'POST /rest/core/tokens': {
    readonly body: {
      /** Purpose of the credential, shown in the list */
      readonly name: string
      /** User of the credential; a system if absent */
      readonly userId?: number | string | undefined
      /** Scopes of the credential */
      readonly scopes: readonly ("dialer:read" | "dialer:write" | "calls:read" | "transcripts:read" | "entities:read" | "cases:read" | "cases:write" | "files:read" | "files:write" | "users:read" | "webhooks:write" | "config:write" | "admin")[]
      /** Corporations */
      readonly corpIds: readonly (number | string)[]
      /** IP addresses or networks, for example 10.0.0.0/8 */
      readonly ipAllowList?: readonly string[] | undefined
      /** Expiry; default 365 days from now, at most 730 days */
      readonly expiresTs?: number | string | undefined
    }
    readonly answer: Token
  }
  /** List credentials without their secrets. */
  readonly 'GET /rest/core/tokens': {
    readonly answer: readonly ({
      /** Public id of the credential */
      readonly rcntrl: string
      /** Display name */
      readonly name: string
      /** Id of a user */
      readonly userId: number | null
      /** Scopes of the credential */
      readonly scopes: readonly string[]
      /** Corporations */
      readonly corpIds: readonly number[]
      /** IP addresses that may use the credential; empty: any address */
      readonly ipAllowList: readonly string[]
      /** Issue time */
      readonly creationTs: string | null
      /** Expiry */
      readonly expiresTs: string | null
      /** Time of the last use, to the minute */
      readonly lastUsedTs: string | null
      /** IP address of the last use */
      readonly lastUsedIp: string | null
    })[]
  }
  /** Rotate a credential. */
  readonly 'POST /rest/core/tokens/{rcntrl}/rotate': {
    readonly params: WithRcntrlIn
    readonly body?: WithOverlapHoursIn
    readonly answer: Token
  }
  /** Revoke a credential. */
  readonly 'DELETE /rest/core/tokens/{rcntrl}': {
    readonly params: WithRcntrlIn
    readonly answer: undefined
  }
  /** Get the active user. */
  readonly 'GET /rest/core/activeuser': {
    readonly answer: {
      /** User id; null for the credential of a system */
      readonly userId: number | null
      /** Login name */
      readonly userName: string
      /** Display name */
      readonly name: string
      /** Email address */
      readonly email: string | null
      /** The corporation that owns the record */
      readonly corporation: Corporation | null
      /** Corporations that the credential may access */
      readonly corporations: readonly Corporation[]
      /** Roles of the user */
      readonly roles: readonly string[]
      /** Scopes of the credential */
      readonly scopes: readonly string[]
      /** Locale of the user interface */
      readonly locale: string
      /** IANA time zone */
      readonly timeZone: string
      /** production or development */
      readonly environment: string
      /** Expiry of this credential */
      readonly tokenExpiresTs: string | null
    }
  }
  /** List users. */
  readonly 'GET /rest/core/users': {
    readonly query?: {
      /** Number of rows to skip; default 0 */
      readonly offset?: number | undefined
      /** Maximum number of rows */
      readonly size?: number | undefined
      /** Include inactive users */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of a user */
      readonly userId: number
      /** Login name */
      readonly userName: string
      /** Display name */
      readonly name: string
      /** Email address */
      readonly email: string | null
      /** Phone number */
      readonly phone: string | null
      /** Whether the record is in use */
      readonly active: boolean
      /** The corporation that owns the record */
      readonly corporation: Corporation
      /** Queues of the user’s teams */
      readonly queues: readonly UserQueue[]
      /** Current state of the agent; null if the agent is not logged in */
      readonly presence: {
        /** Current state */
        readonly state: string
        /** Start of the current state */
        readonly sinceTs: string | null
      } | null
    })[]
  }
  /** List queues. */
  readonly 'GET /rest/svcpbx/queue': {
    readonly query?: {
      /** Include inactive queues */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of a queue */
      readonly ucquId: number
      /** Display name */
      readonly name: string
      /** Always null: phone numbers belong to flows */
      readonly number: null
      /** The corporation that owns the record */
      readonly corporation: WithCorpId
      /** Whether the record is in use */
      readonly active: boolean
      /** Same as active: opening hours belong to flows */
      readonly openNow: boolean
      /** Number of agents that are ready for a call */
      readonly agentsReady: number
      /** Always null: not counted yet */
      readonly waitingCalls: number | null
    })[]
  }
  /** The external systems. */
  readonly 'GET /rest/core/externalsystems': {
    readonly query?: WithAllIn
    readonly answer: readonly Externalsystem[]
  }
  /** Add an external system. */
  readonly 'POST /rest/core/externalsystems': {
    readonly body: {
      /** Code of an external system */
      readonly systemCode: string
      /** Display name */
      readonly name: string
      /** The corporation that owns the record */
      readonly corporation?: ExternalsystemWithCorpIdIn | undefined
      /** URL that is opened with a call; {$CODE} is replaced by the case number */
      readonly popupUrlTemplate?: string | null | undefined
      /** How cases are looked up; null if lookup is off */
      readonly lookup?: LookupIn | null | undefined
      /** Additional hosts that may be called */
      readonly allowedHosts?: readonly string[] | undefined
      /** Whether the record is in use */
      readonly active?: boolean | undefined
    }
    readonly answer: Externalsystem
  }
  /** Change the given fields of an external system. */
  readonly 'PATCH /rest/core/externalsystems/{itsyId}': {
    readonly params: {
      /** The system */
      readonly itsyId: number | string
    }
    readonly body: {
      /** Code of an external system */
      readonly systemCode?: string | undefined
      /** Display name */
      readonly name?: string | undefined
      /** URL that is opened with a call; {$CODE} is replaced by the case number */
      readonly popupUrlTemplate?: string | null | undefined
      /** How cases are looked up; null if lookup is off */
      readonly lookup?: LookupIn | null | undefined
      /** Additional hosts that may be called */
      readonly allowedHosts?: readonly string[] | undefined
      /** Whether the record is in use */
      readonly active?: boolean | undefined
    }
    readonly answer: Externalsystem
  }
  /** The information fields that call tasks may carry. */
  readonly 'GET /rest/svcems/infofields': {
    readonly query?: WithAllIn
    readonly answer: readonly Infofield[]
  }
  /** Add an information field. */
  readonly 'POST /rest/svcems/infofields': {
    readonly body: {
      /** Display name */
      readonly name: string
      /** The corporation that owns the record */
      readonly corporation?: ExternalsystemWithCorpIdIn | undefined
    }
    readonly answer: Infofield
  }
  /** Import call tasks into a campaign. */
  readonly 'POST /svcdialer/calltaskimport': {
    readonly query?: {
      /** Answers the call tasks that were made. */
      readonly returnImportedCallTasks?: boolean | undefined
      /** Answers at once; the call tasks are made meanwhile. Ask for the importId. */
      readonly importAsync?: boolean | undefined
    }
    readonly body: {
      /** Text: the code of an external system. Required. */
      readonly systemCode?: unknown | undefined
      /** Whole number: the campaign that receives the call tasks. Required. */
      readonly callCode?: unknown | undefined
      /** Whole number, 1 to 100: unanswered attempts of each call task. Required. */
      readonly maxCallAttempts?: unknown | undefined
      /** Whole number, 0 to 8760: hours between two attempts. Required. */
      readonly minCallIntervalHours?: unknown | undefined
      /** List of objects, 10000 at the most and 100000 with importAsync: callReceiverName (text, required), callNumberList (list of 1 to 20 texts, required), extCustId (text), systemLookupCode (text), properties (list of {emprId, value, addToCallTaskName}). Required. */
      readonly callTasks?: unknown | undefined
    }
    readonly answer: {
      /** Empty when every call task was imported. */
      readonly callTaskErrors: readonly CallTaskError[]
      /** Id of an import */
      readonly importId: string
      /** Number of created call tasks */
      readonly importedCount?: number
      /** Status of the import */
      readonly importStatus?: "queued" | "running" | "completed" | "failed" | "cancelled"
      /** With returnImportedCallTasks. */
      readonly callTasks?: readonly CallTask[]
    }
  }
  /** Imports of the last 30 days, the newest first. */
  readonly 'GET /svcdialer/calltaskimport': {
    readonly query?: {
      /** Status of the import */
      readonly importStatus?: "queued" | "running" | "completed" | "failed" | "cancelled" | undefined
      /** Rows per page: default 50; 0 or less means 1000; maximum 50000 */
      readonly limit?: number | undefined
      /** Page number, starting at 1; default 1 */
      readonly pageNumber?: number | undefined
    }
    readonly answer: {
      /** Imports on this page */
      readonly imports: readonly Import[]
      /** Number of matching rows on all pages */
      readonly foundRows: number
      /** Number of the first row on the page, starting at 1; 0 for an empty page */
      readonly firstRow: number
      /** Number of the last row on the page, starting at 1; 0 for an empty page */
      readonly lastRow: number
      /** Number of pages */
      readonly pageCount: number
    }
  }
  /** One import: how far it is, and what was wrong with its call tasks. */
  readonly 'GET /svcdialer/calltaskimport/{importId}': {
    readonly params: WithImportIdIn
    readonly query?: {
      /** Answers the call tasks that were made. */
      readonly returnImportedCallTasks?: boolean | undefined
    }
    readonly answer: {
      /** Id of an import */
      readonly importId: string
      /** Status of the import */
      readonly importStatus: "queued" | "running" | "completed" | "failed" | "cancelled"
      /** Code of an external system */
      readonly systemCode: string
      /** Code of a campaign */
      readonly callCode: number
      /** Number of submitted call tasks */
      readonly submittedCount: number
      /** Number of created call tasks */
      readonly importedCount: number
      /** Number of call tasks that were not imported */
      readonly failedCount: number
      /** Why it failed. */
      readonly statusText: string | null
      /** When it was asked for. */
      readonly creationTs: string | null
      /** When the first call tasks were looked at. */
      readonly startedTs: string | null
      /** When it was over. */
      readonly finishedTs: string | null
      /** Call tasks that were not imported */
      readonly callTaskErrors: readonly CallTaskError[]
      /** Call tasks on this page */
      readonly callTasks?: readonly CallTask[]
    }
  }
  /** Take back what an import has not made yet. */
  readonly 'DELETE /svcdialer/calltaskimport/{importId}': {
    readonly params: WithImportIdIn
    readonly answer: Import
  }
  /** Import call tasks from a spreadsheet. */
  readonly 'POST /svcdialer/calltasksheet': {
    readonly query?: {
      /** As of the import: the code of an external system. Required. */
      readonly systemCode?: string | undefined
      /** As of the import: the campaign that receives the call tasks. Required. */
      readonly callCode?: string | undefined
      /** As of the import: 1 to 100. Required. */
      readonly maxCallAttempts?: string | undefined
      /** As of the import: 0 to 8760. Required. */
      readonly minCallIntervalHours?: string | undefined
      /** Nothing is made; the answer says what would be. */
      readonly dryRun?: boolean | undefined
      /** The call tasks are made meanwhile, as always from 10001 rows on. */
      readonly importAsync?: boolean | undefined
      /** A JSON object: headings, or letters of columns, and what they are. Without it, and for columns that it does not name, the headings tell. Fields: callReceiverName, firstName, lastName, callNumberList, extCustId, systemLookupCode, ignore, emprId:5 or emprId:5:addToCallTaskName. */
      readonly mapping?: string | undefined
      /** Which sheet of a workbook, from 1 */
      readonly sheet?: number | undefined
      /** Encoding of a text; found out when absent */
      readonly charset?: "utf-8" | "windows-1252" | "windows-1257" | "utf-16le" | "utf-16be" | undefined
      /** csv: the sheet itself, with what became of each row */
      readonly answer?: "json" | "csv" | undefined
    }
    readonly body: FormData
    readonly answer: string | {
      /** Nothing was made */
      readonly dryRun: boolean
      /** Row of the headings */
      readonly headingRow: number
      /** Rows below it that are not blank: each is a call task */
      readonly rowCount: number
      /** What each column was taken for; change it with mapping */
      readonly columns: readonly ({
        /** Its letter */
        readonly column: string
        /** As it stands in the sheet */
        readonly heading: string
        /** The field of the import that it becomes part of; properties with emprId; null: it is passed over */
        readonly field: string | null
        /** Id of an information field; under priority, the id of a priority */
        readonly emprId?: number
        /** The value is added to the name */
        readonly addToCallTaskName?: boolean
      })[]
      /** What somebody should look at */
      readonly warnings: readonly string[]
      /** Rows that are not imported; the first 10000 of them */
      readonly callTaskErrors: readonly ({
        /** Place in the submitted list, from 0. */
        readonly callTaskIndex: number
        /** 1, 12, 101, 102, 103, 201, 202, 203, 204 */
        readonly errorCodes: readonly number[]
        /** Error as text */
        readonly errorText: string
        /** Row of the sheet, as it is shown there */
        readonly row: number
      })[]
      /** Rows that are not imported */
      readonly failedCount?: number
      /** Of a dry run: rows that would be imported */
      readonly acceptedCount?: number
      /** Id of an import */
      readonly importId?: string
      /** Number of created call tasks */
      readonly importedCount?: number
      /** Status of the import */
      readonly importStatus?: "queued" | "running" | "completed" | "failed" | "cancelled"
    }
  }
  /** Create or change campaigns. */
  readonly 'POST /dialer/callcode': {
    readonly body: {
      /** Chosen by you for a new campaign, or given by us */
      readonly callCode?: number | string | undefined
      /** Display name */
      readonly name?: string | undefined
      /** False: nobody is called. */
      readonly active?: boolean | undefined
      /** The corporation that owns the record */
      readonly corporation?: CallcodeWithCorpIdIn | undefined
      /** The external system that the record belongs to */
      readonly externalSystem?: WithItsyIdIn | null | undefined
      /** The queue: the team whose agents take the calls */
      readonly queue?: WithUcquIdIn | null | undefined
      /** The number that callees see: + and digits. Its limits are those of the answer; null: as if it were never set. */
      readonly callerId?: unknown | undefined
      /** A carrier of the set-up, by its name. Its limits are those of the answer; null: as if it were never set. */
      readonly trunk?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly dialMode?: unknown | undefined
      /** Numbers of one call task that are rung at once. Its limits are those of the answer; null: as if it were never set. */
      readonly parallelCalls?: unknown | undefined
      /** Lines for each idle agent, in mode power. Its limits are those of the answer; null: as if it were never set. */
      readonly linesPerAgent?: unknown | undefined
      /** How mode predictive decides: policy E, algorithm B or algorithm A; price if absent. Its limits are those of the answer; null: as if it were never set. */
      readonly pacing?: unknown | undefined
      /** Another way that is only watched: what it would have dialed is shown beside what was. Its limits are those of the answer; null: as if it were never set. */
      readonly shadowPacing?: unknown | undefined
      /** Lines for each agent, whatever the mode. Its limits are those of the answer; null: as if it were never set. */
      readonly linesPerAgentMax?: unknown | undefined
      /** Abandoned calls of a day per answered one: 3 % at most, and 3 % where no ledgers are set. Its limits are those of the answer; null: as if it were never set. */
      readonly maxAbandonRate?: unknown | undefined
      /** Further limits on abandoned calls, or others than that of a day: all of them hold at once. Its limits are those of the answer; null: as if it were never set. */
      readonly ledgers?: unknown | undefined
      /** A phone is left ringing 15 s at least. Its limits are those of the answer; null: as if it were never set. */
      readonly ringTimeoutSeconds?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly wrapUpMode?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly wrapUpSeconds?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly callWindows?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly holidayCalendar?: unknown | undefined
      /** Further dates on which nobody is called. Its limits are those of the answer; null: as if it were never set. */
      readonly holidays?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly machineDetection?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly recording?: unknown | undefined
      /** What is said to a person for whom no agent is free, and to a machine. Its limits are those of the answer; null: as if it were never set. */
      readonly messages?: unknown | undefined
      /** Countries (ISO 3166-1) that may be called; the country of the caller id when absent. Its limits are those of the answer; null: as if it were never set. */
      readonly allowedDestinations?: unknown | undefined
      /** Calls to one person in any so many days, over all campaigns. Its limits are those of the answer; null: as if it were never set. */
      readonly frequencyCap?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly afterDropped?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly skipInvalidNumbers?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly dropStoppedNumbers?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly feedbackQuarantineDays?: unknown | undefined
      /** Its limits are those of the answer; null: as if it were never set. */
      readonly requiresPopup?: unknown | undefined
      /** Campaigns */
      readonly callCodes?: readonly ({
        /** Chosen by you for a new campaign, or given by us */
        readonly callCode?: number | string | undefined
        /** Display name */
        readonly name?: string | undefined
        /** False: nobody is called. */
        readonly active?: boolean | undefined
        /** The corporation that owns the record */
        readonly corporation?: CallcodeWithCorpIdIn | undefined
        /** The external system that the record belongs to */
        readonly externalSystem?: WithItsyIdIn | null | undefined
        /** The queue: the team whose agents take the calls */
        readonly queue?: WithUcquIdIn | null | undefined
        /** The number that callees see: + and digits. Its limits are those of the answer; null: as if it were never set. */
        readonly callerId?: unknown | undefined
        /** A carrier of the set-up, by its name. Its limits are those of the answer; null: as if it were never set. */
        readonly trunk?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly dialMode?: unknown | undefined
        /** Numbers of one call task that are rung at once. Its limits are those of the answer; null: as if it were never set. */
        readonly parallelCalls?: unknown | undefined
        /** Lines for each idle agent, in mode power. Its limits are those of the answer; null: as if it were never set. */
        readonly linesPerAgent?: unknown | undefined
        /** How mode predictive decides: policy E, algorithm B or algorithm A; price if absent. Its limits are those of the answer; null: as if it were never set. */
        readonly pacing?: unknown | undefined
        /** Another way that is only watched: what it would have dialed is shown beside what was. Its limits are those of the answer; null: as if it were never set. */
        readonly shadowPacing?: unknown | undefined
        /** Lines for each agent, whatever the mode. Its limits are those of the answer; null: as if it were never set. */
        readonly linesPerAgentMax?: unknown | undefined
        /** Abandoned calls of a day per answered one: 3 % at most, and 3 % where no ledgers are set. Its limits are those of the answer; null: as if it were never set. */
        readonly maxAbandonRate?: unknown | undefined
        /** Further limits on abandoned calls, or others than that of a day: all of them hold at once. Its limits are those of the answer; null: as if it were never set. */
        readonly ledgers?: unknown | undefined
        /** A phone is left ringing 15 s at least. Its limits are those of the answer; null: as if it were never set. */
        readonly ringTimeoutSeconds?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly wrapUpMode?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly wrapUpSeconds?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly callWindows?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly holidayCalendar?: unknown | undefined
        /** Further dates on which nobody is called. Its limits are those of the answer; null: as if it were never set. */
        readonly holidays?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly machineDetection?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly recording?: unknown | undefined
        /** What is said to a person for whom no agent is free, and to a machine. Its limits are those of the answer; null: as if it were never set. */
        readonly messages?: unknown | undefined
        /** Countries (ISO 3166-1) that may be called; the country of the caller id when absent. Its limits are those of the answer; null: as if it were never set. */
        readonly allowedDestinations?: unknown | undefined
        /** Calls to one person in any so many days, over all campaigns. Its limits are those of the answer; null: as if it were never set. */
        readonly frequencyCap?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly afterDropped?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly skipInvalidNumbers?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly dropStoppedNumbers?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly feedbackQuarantineDays?: unknown | undefined
        /** Its limits are those of the answer; null: as if it were never set. */
        readonly requiresPopup?: unknown | undefined
      })[] | undefined
    }
    readonly answer: CallCode | {
      /** Campaigns */
      readonly callCodes: readonly CallCode[]
    }
  }
  /** The campaigns. */
  readonly 'GET /dialer/callcode': {
    readonly query?: {
      /** Code of a campaign */
      readonly callCode?: readonly (number | string)[] | undefined
      /** Whether the record is in use */
      readonly active?: boolean | undefined
      /** A part of the name. */
      readonly name?: string | undefined
      /** Rows per page: default 50; 0 or less means 1000; maximum 50000 */
      readonly limit?: number | undefined
      /** Page number, starting at 1; default 1 */
      readonly pageNumber?: number | undefined
    }
    readonly answer: {
      /** Campaigns */
      readonly callCodes: readonly CallCode[]
      /** Number of matching rows on all pages */
      readonly foundRows: number
      /** Number of the first row on the page, starting at 1; 0 for an empty page */
      readonly firstRow: number
      /** Number of the last row on the page, starting at 1; 0 for an empty page */
      readonly lastRow: number
      /** Number of pages */
      readonly pageCount: number
    }
  }
  /** What a campaign drew on its three budgets, day by day. */
  readonly 'GET /dialer/callcode/{callCode}/budgets': {
    readonly params: WithCallCodeIn
    readonly query?: {
      /** With today; 30 when absent. */
      readonly days?: number | undefined
    }
    readonly answer: {
      /** Code of a campaign */
      readonly callCode: number
      /** Where its days begin: the zone of its call windows or of its caller id; UTC while it has none. */
      readonly timeZone: string
      /** All of these days together. */
      readonly total: {
        /** Calls that a person answered. Unless somebody said otherwise, whoever answered was a person. */
        readonly personsAnswered: number
        /** Those of them that we ended without an agent (DROPPED). The budget of maxAbandonRate and ledgers. */
        readonly abandoned: number
        /** Calls that machine detection took for a machine. How many of them were people is not known: nobody talked to them. It is known only when somebody says so, and nothing here guesses it. */
        readonly machineVerdicts: number
        /** Calls that were given to an agent as a person, and of which the agent said that it was a machine: the errors of machine detection that are known. Not among personsAnswered nor machineVerdicts. */
        readonly correctedByAgents: number
        /** Calls that we took back while the phone rang, before it had rung for the minimum of 15 s. */
        readonly ringsCutShort: number
      }
      /** The oldest first, today last; days without calls as well. */
      readonly days: readonly ({
        /** Such as 2026-12-24. */
        readonly date: string
        /** Calls that a person answered. Unless somebody said otherwise, whoever answered was a person. */
        readonly personsAnswered: number
        /** Those of them that we ended without an agent (DROPPED). The budget of maxAbandonRate and ledgers. */
        readonly abandoned: number
        /** Calls that machine detection took for a machine. How many of them were people is not known: nobody talked to them. It is known only when somebody says so, and nothing here guesses it. */
        readonly machineVerdicts: number
        /** Calls that were given to an agent as a person, and of which the agent said that it was a machine: the errors of machine detection that are known. Not among personsAnswered nor machineVerdicts. */
        readonly correctedByAgents: number
        /** Calls that we took back while the phone rang, before it had rung for the minimum of 15 s. */
        readonly ringsCutShort: number
      })[]
    }
  }
  /** What a day of a campaign would come to. */
  readonly 'POST /dialer/callcode/{callCode}/forecast': {
    readonly params: WithCallCodeIn
    readonly body?: {
      /** Who work all day; the agents of the queue if absent. */
      readonly agents?: number | undefined
      /** Length of a day; if absent, of the call windows of today, or of the next open day: 12 at most. */
      readonly hours?: number | undefined
      /** How lines are placed; as the campaign has it if absent. */
      readonly pacing?: "price" | "risk" | "ratio" | "oneToOne" | undefined
      /** Abandoned calls of a day per answered one; the tightest of the campaign if absent. */
      readonly maxAbandonRate?: number | undefined
      /** How often the day is simulated; 20 if absent, or as many as may be. */
      readonly days?: number | undefined
      /** Another one gives other days; 1 if absent. */
      readonly seed?: number | undefined
    }
    readonly answer: {
      /** Code of a campaign */
      readonly callCode: number
      /** Who worked all day. */
      readonly agents: number
      /** Length of a day. */
      readonly hours: number
      /** How lines were placed. */
      readonly pacing: "price" | "risk" | "ratio" | "oneToOne"
      /** The limit that was kept. */
      readonly maxAbandonRate: number
      /** How often the day was simulated. */
      readonly days: number
      /** Asked again with it, the answer is the same. */
      readonly seed: number
      /** Talk and wrap-up, in percent of the time of all agents. */
      readonly occupancyPct: WithMeanLowHigh
      /** Abandoned calls in percent of those that persons answered. */
      readonly abandonedPct: WithMeanLowHigh
      /** Calls that agents took, in a day. */
      readonly conversations: WithMeanLowHigh
      /** Lines dialed, in a day. */
      readonly dials: WithMeanLowHigh
      /** How long an agent waits for a call, in seconds. */
      readonly idleMeanS: number
      /** Time during which more was abandoned than the limit allows, in percent of the day. */
      readonly timeAboveCapPct: number
      /** Open call tasks that are due today, or on the next day with call windows. */
      readonly dueTasks: number
      /** Hours until each of them has been tried once; null where nothing is dialed. */
      readonly hoursForDueTasks: WithMeanLowHigh | null
      /** What it rests on: the calls of this campaign so far. */
      readonly laws: {
        /** guess: fewer than 20 lines are known, and what holds of most campaigns stands in for them. */
        readonly source: "learnt" | "guess"
        /** Lines whose outcome is known, of late: older ones count for less. */
        readonly lines: number
        /** The share of lines that persons answer, over the hours of the day. */
        readonly hitRate: number
        /** Mean talk, in seconds. */
        readonly meanTalkS: number
        /** Mean wrap-up, in seconds. */
        readonly meanWrapUpS: number
      }
    }
  }
  /** Search call tasks. */
  readonly 'POST /dialer/calltaskget': {
    readonly body?: {
      /** Case numbers of the external system. */
      readonly systemLookupCodes?: readonly string[] | undefined
      /** Customers of the external system. */
      readonly extCustIds?: readonly string[] | undefined
      /** Call tasks. */
      readonly itcaIds?: readonly number[] | undefined
      /** Campaigns: objects with a callCode, or plain numbers. */
      readonly callCodes?: readonly (CalltaskgetWithCallCodeIn | number)[] | undefined
      /** Codes of the status. */
      readonly statusList?: readonly number[] | undefined
      /** Whether a person was talked to. */
      readonly answeredList?: readonly boolean[] | undefined
      /** Whether it is finished. */
      readonly finishedList?: readonly boolean[] | undefined
      /** Numbers, in any way of writing. */
      readonly callNumbers?: readonly string[] | undefined
      /** Whether a date for a call back is set. */
      readonly hasCallBackDate?: boolean | undefined
      /** Our addition, like all that follow. */
      readonly corporationIds?: readonly number[] | undefined
      /** Users whose call tasks they are. */
      readonly assignedUserIds?: readonly number[] | undefined
      /** External systems. */
      readonly systemCodes?: readonly string[] | undefined
      /** Kinds of feedback that agents gave. */
      readonly feedbackTypeIds?: readonly string[] | undefined
      /** From then on … */
      readonly creationTsFrom?: number | string | undefined
      /** … up to but without then; the same for the others. */
      readonly creationTsTo?: number | string | undefined
      /** Last dialed. */
      readonly lastCallTsFrom?: number | string | undefined
      /** Last dialed. */
      readonly lastCallTsTo?: number | string | undefined
      /** To be dialed not before. */
      readonly nextCallTsFrom?: number | string | undefined
      /** To be dialed not before. */
      readonly nextCallTsTo?: number | string | undefined
      /** Date of a call back. */
      readonly callBackTsFrom?: number | string | undefined
      /** Date of a call back. */
      readonly callBackTsTo?: number | string | undefined
      /** The same fields in a nested object; both forms are accepted */
      readonly filter?: {
        /** Case numbers of the external system. */
        readonly systemLookupCodes?: readonly string[] | undefined
        /** Customers of the external system. */
        readonly extCustIds?: readonly string[] | undefined
        /** Call tasks. */
        readonly itcaIds?: readonly number[] | undefined
        /** Campaigns: objects with a callCode, or plain numbers. */
        readonly callCodes?: readonly (CalltaskgetWithCallCodeIn | number)[] | undefined
        /** Codes of the status. */
        readonly statusList?: readonly number[] | undefined
        /** Whether a person was talked to. */
        readonly answeredList?: readonly boolean[] | undefined
        /** Whether it is finished. */
        readonly finishedList?: readonly boolean[] | undefined
        /** Numbers, in any way of writing. */
        readonly callNumbers?: readonly string[] | undefined
        /** Whether a date for a call back is set. */
        readonly hasCallBackDate?: boolean | undefined
        /** Our addition, like all that follow. */
        readonly corporationIds?: readonly number[] | undefined
        /** Users whose call tasks they are. */
        readonly assignedUserIds?: readonly number[] | undefined
        /** External systems. */
        readonly systemCodes?: readonly string[] | undefined
        /** Kinds of feedback that agents gave. */
        readonly feedbackTypeIds?: readonly string[] | undefined
        /** From then on … */
        readonly creationTsFrom?: number | string | undefined
        /** … up to but without then; the same for the others. */
        readonly creationTsTo?: number | string | undefined
        /** Last dialed. */
        readonly lastCallTsFrom?: number | string | undefined
        /** Last dialed. */
        readonly lastCallTsTo?: number | string | undefined
        /** To be dialed not before. */
        readonly nextCallTsFrom?: number | string | undefined
        /** To be dialed not before. */
        readonly nextCallTsTo?: number | string | undefined
        /** Date of a call back. */
        readonly callBackTsFrom?: number | string | undefined
        /** Date of a call back. */
        readonly callBackTsTo?: number | string | undefined
      } | undefined
      /** Rows per page: default 50; 0 or less means 1000; maximum 50000 */
      readonly limit?: number | undefined
      /** Page number, starting at 1; default 1 */
      readonly pageNumber?: number | undefined
      /** One of itcaId, callReceiverName, creationTs, updateTs, nextCallTs, lastCallTs, callBackTs, statusId, callAttemptCount; " desc" turns it. */
      readonly sort?: string | undefined
      /** The whole of each call task. */
      readonly detail?: boolean | undefined
    }
    readonly answer: {
      /** Call tasks on this page */
      readonly callTasks: readonly CallTask[]
      /** Number of matching rows on all pages */
      readonly foundRows: number
      /** Number of the first row on the page, starting at 1; 0 for an empty page */
      readonly firstRow: number
      /** Number of the last row on the page, starting at 1; 0 for an empty page */
      readonly lastRow: number
      /** Number of pages */
      readonly pageCount: number
    }
  }
  /** End a call task. */
  readonly 'PUT /v1/calltasks/{itcaId}/end': {
    readonly params: {
      /** The call task */
      readonly itcaId: number | string
    }
    readonly body?: {
      /** Reason as text */
      readonly reason?: string | undefined
      /** Reason code of the end */
      readonly reasonCode?: "PAID" | "WITHDRAWN" | "DISPUTED" | "OTHER" | undefined
    }
    readonly answer: {
      /** Id of a call task */
      readonly itcaId: number
      /** Status code */
      readonly statusId: number
      /** Whether the call task is finished */
      readonly finished: boolean
      /** Whether a person was connected to an agent */
      readonly answered: boolean
      /** When it was finished. */
      readonly finishedTs: string | null
      /** False: it was finished before, as it says. */
      readonly changed: boolean
      /** The eactId of a conversation that goes on. */
      readonly activeCall: number | null
    }
  }
  /** Search call attempts. */
  readonly 'POST /svcdialer/calltaskcallattempts/search': {
    readonly body: {
      /** Attempts. */
      readonly iccaIds?: readonly (number | string)[] | undefined
      /** One attempt; together with iccaIds when both are given. */
      readonly iccaId?: number | string | undefined
      /** All attempts of these call tasks. */
      readonly itcaIds?: readonly (number | string)[] | undefined
      /** The attempts that these call activities are about. */
      readonly eactIds?: readonly (number | string)[] | undefined
      /** Rows per page: default 50; 0 or less means 1000; maximum 50000 */
      readonly limit?: number | undefined
      /** Page number, starting at 1; default 1 */
      readonly pageNumber?: number | undefined
    }
    readonly answer: {
      /** Call attempts, oldest first */
      readonly callAttempts: readonly CallAttempt[]
      /** Number of matching rows on all pages */
      readonly foundRows: number
      /** Number of the first row on the page, starting at 1; 0 for an empty page */
      readonly firstRow: number
      /** Number of the last row on the page, starting at 1; 0 for an empty page */
      readonly lastRow: number
      /** Number of pages */
      readonly pageCount: number
    }
  }
  /** Look up calls by the ids of their activities. */
  readonly 'POST /svcems/calls/search': {
    readonly body: {
      /** Texts or numbers; ids that are not found are left out of the answer. */
      readonly eactIds: readonly (number | string)[]
    }
    readonly answer: readonly ({
      /** One number space with all other activities. */
      readonly eactId: number
      /** Type of the activity */
      readonly activityType: {
        /** Activity type: 10 call, 11 email, 15 case, 21 email conversation */
        readonly eatyId: 10
      }
      /** 1 came in, 2 went out. */
      readonly direction: number
      /** Who called, as the other side saw it. */
      readonly callNumber: string
      /** Called number */
      readonly calledNumber: string
      /** When it began. */
      readonly creationTs: string | null
      /** When it rang. */
      readonly ringTs: string | null
      /** When it was answered; null exactly when nobody and nothing answered. */
      readonly startTs: string | null
      /** When it was over. */
      readonly endTs: string | null
      /** Talk time in seconds */
      readonly talkSeconds: number
      /** Wait time of the caller in seconds */
      readonly waitSeconds: number
      /** Result code */
      readonly result: number | null
      /** Result name */
      readonly resultName: string | null
      /** The agent; null if there was none */
      readonly agent: Agent | null
      /** The queue: the team whose agents take the calls */
      readonly queue: CallcodeQueue | null
      /** The corporation that owns the record */
      readonly corporation: WithCorpId
      /** The contact whose call it is; null where none is known. */
      readonly entityExtension: WithEeexId | null
      /** Absent where the call belongs to no external system. */
      readonly externalSystem?: CallTaskExternalSystem
      /** Case number in the external system */
      readonly systemLookupCode: string | null
      /** Absent where the call belongs to no call task. */
      readonly callAttempt?: {
        /** Id of a call attempt */
        readonly iccaId: number
        /** Id of a call task */
        readonly itcaId: number
        /** Code of a campaign */
        readonly callCode: number
      }
      /** Recordings of the call */
      readonly recordings: readonly ({
        /** Id of a recording; use it to search for transcripts */
        readonly pcreId: number
        /** From … */
        readonly startTs: string | null
        /** … to. */
        readonly endTs: string | null
        /** Its file; null where recording failed. */
        readonly cfreId: number | null
      })[]
      /** Q.850 cause code of the hangup */
      readonly hangupCause: number | null
      /** Party that hung up */
      readonly hangupBy: string | null
      /** none, pending, ready, failed */
      readonly summaryStatus: string
    })[]
  }
  /** The stop list of numbers. */
  readonly 'GET /dialer/stoplist/numbers': {
    readonly query?: NumberIn
    readonly answer: {
      /** Telephone numbers */
      readonly numbers: readonly ({
        /** Phone number */
        readonly number: string
        /** The corporation that owns the record */
        readonly corporation: WithCorpId
        /** Reason as text */
        readonly reason: string | null
        /** Credential that added the entry */
        readonly addedBy: string | null
        /** Since when. */
        readonly creationTs: string | null
      })[]
      /** Number of matching rows on all pages */
      readonly foundRows: number
      /** Number of the first row on the page, starting at 1; 0 for an empty page */
      readonly firstRow: number
      /** Number of the last row on the page, starting at 1; 0 for an empty page */
      readonly lastRow: number
      /** Number of pages */
      readonly pageCount: number
    }
  }
  /** Put numbers on the stop list. */
  readonly 'POST /dialer/stoplist/numbers': {
    readonly body: {
      /** In any way of writing; without + they are at home where the campaigns are. */
      readonly numbers: readonly string[]
      /** Reason as text */
      readonly reason?: string | undefined
      /** The corporation that owns the record */
      readonly corporation?: ExternalsystemWithCorpIdIn | undefined
    }
    readonly answer: WithCount
  }
  /** Take numbers off the stop list. */
  readonly 'DELETE /dialer/stoplist/numbers': {
    readonly query: {
      /** In any way of writing; without + they are at home where the campaigns are. */
      readonly numbers: readonly string[]
      /** The asker’s first when absent */
      readonly corpId?: number | string | undefined
    }
    readonly answer: WithCount2
  }
  /** The stop list of customers of external systems. */
  readonly 'GET /dialer/stoplist/persons': {
    readonly query?: NumberIn
    readonly answer: {
      /** Customers of external systems */
      readonly persons: readonly ({
        /** Code of an external system */
        readonly systemCode: string | null
        /** Customer id in the external system */
        readonly extCustId: string
        /** The corporation that owns the record */
        readonly corporation: WithCorpId
        /** Reason as text */
        readonly reason: string | null
        /** Credential that added the entry */
        readonly addedBy: string | null
        /** Since when. */
        readonly creationTs: string | null
      })[]
      /** Number of matching rows on all pages */
      readonly foundRows: number
      /** Number of the first row on the page, starting at 1; 0 for an empty page */
      readonly firstRow: number
      /** Number of the last row on the page, starting at 1; 0 for an empty page */
      readonly lastRow: number
      /** Number of pages */
      readonly pageCount: number
    }
  }
  /** Put customers of external systems on the stop list. */
  readonly 'POST /dialer/stoplist/persons': {
    readonly body: {
      /** Customers of external systems */
      readonly persons: readonly ({
        /** The external system that knows them. */
        readonly systemCode: string
        /** Their number there. */
        readonly extCustId: string
      })[]
      /** Reason as text */
      readonly reason?: string | undefined
      /** The corporation that owns the record */
      readonly corporation?: ExternalsystemWithCorpIdIn | undefined
    }
    readonly answer: WithCount
  }
  /** Take customers of external systems off the stop list. */
  readonly 'DELETE /dialer/stoplist/persons': {
    readonly query: {
      /** The external system that knows them. */
      readonly systemCode: string
      /** Their number there. */
      readonly extCustId: string
      /** The asker’s first when absent */
      readonly corpId?: number | string | undefined
    }
    readonly answer: WithCount2
  }
  /** Whether all dialing is stopped. */
  readonly 'GET /dialer/killswitch': {
    readonly answer: Killswitch
  }
  /** Stop all dialing, or allow it again. */
  readonly 'PUT /dialer/killswitch': {
    readonly body: {
      /** Whether the switch is on */
      readonly on: boolean
      /** The confirmation word from the first answer */
      readonly confirm?: string | undefined
    }
    readonly answer: Killswitch
  }
  /** How the campaigns are paced just now. */
  readonly 'GET /dialer/board': {
    readonly answer: {
      /** Those that dial just now. */
      readonly campaigns: readonly ({
        /** Code of a campaign */
        readonly callCode: number
        /** When its engine told it. */
        readonly ts: string | null
        /** Display name */
        readonly name: string
        /** When the feature applies */
        readonly mode: string
        /** `price`, `risk`, `ratio`, `oneToOne`, `power` or `manual`. */
        readonly pace: string
        /** How it is at this moment. */
        readonly live: {
          /** Agents at work in the campaign. */
          readonly agents: number
          /** Of these, how many wait for somebody. */
          readonly idleAgents: number
          /** Lines that are out and were not answered yet. */
          readonly inFlight: number
          /** People who answered and wait for an agent. */
          readonly waiting: number
        }
        /** The last decision: how many lines, and why no more. */
        readonly placing: {
          /** Lines to be placed. */
          readonly lines: number
          /** The reason of the pacer, in one word. */
          readonly why: string
          /** Figures that were weighed, by their names. */
          readonly weighed?: Readonly<Record<string, unknown>>
        }
        /** Why the last call task that was not dialed. */
        readonly refused: string | null
        /** What may be abandoned, and what was. */
        readonly ledgers: readonly ({
          /** Display name */
          readonly name: string
          /** Abandoned calls for each 10,000 answered ones. */
          readonly capBasisPoints: number
          /** Calls that people answered. */
          readonly answered: number
          /** Of these, how many found no agent. */
          readonly abandoned: number
          /** Would find no agent if everybody answered now. */
          readonly atRisk: number
          /** May be abandoned of so many answered. */
          readonly allowed: number
        })[]
        /** Lines of 24 hours by the reason of the pacer. */
        readonly placed: Readonly<Record<string, unknown>>
        /** How often it began to place nothing, by its reason. */
        readonly held: Readonly<Record<string, unknown>>
        /** Call tasks that the rules did not let pass, by the rule. */
        readonly refusals: Readonly<Record<string, unknown>>
        /** What the campaign has learnt about itself. */
        readonly learnt: {
          /** Share of lines that a person answers. */
          readonly hitRate: number
          /** Seconds until somebody answers. */
          readonly answerS: number
          /** Seconds of a conversation. */
          readonly talkS: number
          /** Seconds of the work after it. */
          readonly wrapUpS: number
          /** Lines and conversations that it was learnt from. */
          readonly known: number
        }
        /** A second way of pacing that only watches; null: there is none. */
        readonly shadow: {
          /** Its way of pacing. */
          readonly pace: string
          /** Lines that it would place now. */
          readonly lines: number
          /** What it would have done, hour by hour. */
          readonly hours: readonly ({
            /** The hour. */
            readonly fromTs: string | null
            /** Lines that were placed. */
            readonly placed: number
            /** Lines that it would have placed beyond those that were. */
            readonly more: number
            /** Lines that were placed, and would not have been. */
            readonly less: number
          })[]
        } | null
      })[]
    }
  }
  /** Look up the summaries of calls. */
  readonly 'POST /rest/svcems/activity-summary/search': {
    readonly body: {
      /** Calls without a summary are left out of the answer. */
      readonly activities: readonly ({
        /** A call activity: the phoneCallId of an event */
        readonly eactId: number | string
      })[]
    }
    readonly answer: readonly ActivitySummary[]
  }
  /** Correct the summary of a call. */
  readonly 'PUT /rest/svcems/activity-summary/{eactId}': {
    readonly params: {
      /** The call activity */
      readonly eactId: number | string
    }
    readonly body: {
      /** The whole of the new text, as plain text; blank is refused. */
      readonly text: string
      /** The version that was read. */
      readonly version: number
    }
    readonly answer: ActivitySummary
  }
  /** Look up the transcripts of recordings. */
  readonly 'POST /rest/core/transcript/search': {
    readonly body: {
      /** Recordings without a transcript are left out of the answer. */
      readonly referenceIds: readonly (number | string)[]
      /** 21001 is phone call recordings, also when absent; nothing else has transcripts. */
      readonly referenceTables?: readonly ({
        /** Id */
        readonly id: number
      })[] | undefined
      /** Who said what when; false when absent. */
      readonly getParts?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of a transcript */
      readonly transcriptId: number
      /** The recording: its pcreId. */
      readonly referenceId: number
      /** Table that the id refers to: 21001 is recordings */
      readonly referenceTable: {
        /** Id */
        readonly id: 21001
      }
      /** pending, ready, failed */
      readonly status: string
      /** BCP 47; null where it is not known. */
      readonly language: string | null
      /** Null until it is ready, like text. */
      readonly durationMs: number | null
      /** When it was begun. */
      readonly creationTs: string | null
      /** Plain text, a line for each part; show it as text and never as HTML. */
      readonly text: string | null
      /** With getParts; none until it is ready. */
      readonly parts?: readonly ({
        /** From 1, by the beginning. */
        readonly partNo: number
        /** Of the recording, from 0. */
        readonly channel: number
        /** agent, customer, system; null where both sides are on one channel. */
        readonly speaker: string | null
        /** From the beginning of the recording. */
        readonly startMs: number
        /** Offset from the start of the recording in milliseconds */
        readonly endMs: number
        /** Plain text. */
        readonly text: string
        /** 0 to 1; null where it is not known. */
        readonly confidence: number | null
      })[]
    })[]
  }
  /** Contacts, by id. */
  readonly 'GET /rest/svcems/entity': {
    readonly query?: {
      /** With what the contacts are to us. */
      readonly getExtensions?: boolean | undefined
      /** 0 when absent */
      readonly offset?: number | undefined
      /** 10 when absent */
      readonly size?: number | undefined
      /** Contacts. Our addition, like all that follow; they hold together. */
      readonly emenIds?: readonly (number | string)[] | undefined
      /** Extensions. */
      readonly eeexIds?: readonly (number | string)[] | undefined
      /** A customer number. */
      readonly seqNo?: number | string | undefined
      /** A telephone number; in an address + is written %2B. */
      readonly number?: string | undefined
      /** A part of the name. */
      readonly name?: string | undefined
    }
    readonly answer: readonly ({
      /** Id of a contact */
      readonly emenId: number
      /** First names, or the name of a company. */
      readonly name1: string
      /** Last name; empty for a company. */
      readonly name2: string
      /** The corporation that owns the record */
      readonly corporation: WithCorpId
      /** 1 private entity, 2 company */
      readonly entityType: number
      /** Only with getExtensions=true. */
      readonly extensions?: readonly ({
        /** What activities are retrieved by. */
        readonly eeexId: number
        /** 10 customer */
        readonly extType: number
        /** Our customer number. */
        readonly seqNo: number
        /** The customer in the external system; empty where none knows them. */
        readonly extensionLinks: readonly ({
          /** An external system … */
          readonly itsyId: number
          /** Code of an external system */
          readonly systemCode: string
          /** … and who the customer is there. */
          readonly extCustId: string
        })[]
        /** The customer is on the stop list (our addition). */
        readonly stopped: boolean
      })[]
      /** Telephone numbers */
      readonly numbers: readonly ({
        /** As it was given. */
        readonly number: string
        /** As it is dialed; null where it is no number. */
        readonly e164: string | null
        /** mobile, home, work, other */
        readonly type: string
        /** Whether this number is dialed first */
        readonly primary: boolean
        /** It is on the stop list. */
        readonly stopped: boolean
      })[]
    })[]
  }
  /** Make or change a case. */
  readonly 'POST /rest/svcems/case': {
    readonly body: {
      /** The case to be changed; absent: a new one is made */
      readonly eactId?: number | string | undefined
      /** Title of the case */
      readonly description?: string | undefined
      /** Internal status; see emsStatus */
      readonly status?: number | undefined
      /** Whose it is, for good */
      readonly corporation?: CaseWithCorpIdIn | undefined
      /** The contact that the case belongs to; null clears */
      readonly entityExtension?: {
        /** The contact */
        readonly eeexId: number | string
      } | null | undefined
      /** Alone, the status follows it; the default of status where both are given and disagree */
      readonly emsStatus?: {
        /** A status that users defined */
        readonly emstId: number | string
      } | undefined
      /** Whose work it is; null clears */
      readonly queue?: {
        /** The queue */
        readonly ucquId: number | string
      } | null | undefined
      /** What it is about; null clears */
      readonly category?: WithCtnoIdIn | null | undefined
      /** Null, and absent when it is made: the default one */
      readonly priority?: {
        /** The priority */
        readonly empriId?: number | string | undefined
        /** The priority, by its other name */
        readonly emprId?: number | string | undefined
      } | null | undefined
      /** Until when it is to be done; null clears */
      readonly deadlineTs?: number | string | null | undefined
      /** Until when it is on hold; needed for status 8, and lies ahead */
      readonly onHoldToTs?: number | string | null | undefined
      /** Why it is on hold, in words; null clears */
      readonly onHoldComment?: string | null | undefined
      /** All tags; null clears */
      readonly emsTags?: readonly ({
        /** The tag */
        readonly name: string
      } | string)[] | null | undefined
      /** Values of information fields; others stay; null clears */
      readonly propValues?: readonly ({
        /** An information field */
        readonly emprId: number | string
        /** Null takes it away */
        readonly value: string | null
      })[] | null | undefined
      /** Parts that begin or end; others go on; null clears */
      readonly members?: readonly ({
        /** 1 assigned user, 2 follower, 20 contact */
        readonly role: 1 | 2 | 20
        /** Who; for roles 1 and 2; null clears */
        readonly user?: {
          /** A user of the corporation */
          readonly userId: number | string
        } | null | undefined
        /** The contact; for role 20; null clears */
        readonly entityExtension?: {
          /** A contact of the corporation */
          readonly eeexId: number | string
        } | null | undefined
        /** False ends the part; our addition */
        readonly active?: boolean | undefined
        /** Where it is set, as answers have it, the part is left as it is */
        readonly endTs?: number | string | null | undefined
      })[] | null | undefined
      /** Merges the case into that one; null takes it apart again, within 30 days, with the scope admin */
      readonly mergedTo?: {
        /** A case of the same corporation */
        readonly eactId: number | string
      } | null | undefined
      /** As it was read: 412 when the case was changed since */
      readonly updateTs?: number | string | null | undefined
    }
    readonly answer: Case
  }
  /** Look up cases, with all that hangs on them. */
  readonly 'POST /rest/svcems/cases/search': {
    readonly body: {
      /** Cases; those that are not found are left out of the answer */
      readonly eactIds?: readonly (number | string)[] | undefined
      /** Case numbers. Our addition, like all that follow; they hold together */
      readonly seqNos?: readonly (number | string)[] | undefined
      /** Internal statuses */
      readonly statuses?: readonly number[] | undefined
      /** Statuses that users defined */
      readonly emstIds?: readonly (number | string)[] | undefined
      /** Queues */
      readonly ucquIds?: readonly (number | string)[] | undefined
      /** Contacts that cases belong to */
      readonly eeexIds?: readonly (number | string)[] | undefined
      /** Users who take care of them now */
      readonly assignedUserIds?: readonly (number | string)[] | undefined
      /** Changed then or later */
      readonly updateTsFrom?: number | string | undefined
      /** Changed then or before */
      readonly updateTsTo?: number | string | undefined
      /** A part of the title or of a comment */
      readonly text?: string | undefined
      /** First row of the range, starting at 0 */
      readonly limitFrom?: number | undefined
      /** First row after the window */
      readonly limitTo?: number | undefined
    }
    readonly answer: readonly Case[]
  }
  /** Comment on a case. */
  readonly 'POST /rest/svcems/activitytexts': {
    readonly body: {
      /** HTML; what could do harm is taken out of what is shown. 64 KiB at the most */
      readonly text: string
      /** The activity that the record belongs to */
      readonly activity: {
        /** The case */
        readonly eactId: number | string
      }
      /** Only for us; true when absent, unless it came from outside. Our addition */
      readonly internal?: boolean | undefined
      /** It came from outside, and reopens the case as an email does. Our addition */
      readonly external?: boolean | undefined
    }
    readonly answer: Text
  }
  /** Categories of cases. */
  readonly 'GET /rest/svcems/categories': {
    readonly query?: WithAllIn2
    readonly answer: readonly Category[]
  }
  /** Add a category. */
  readonly 'POST /rest/svcems/categories': {
    readonly body: {
      /** As people call it */
      readonly name: string
      /** 0 when absent */
      readonly sortOrder?: number | undefined
      /** Its first when absent */
      readonly corporation?: CaseWithCorpIdIn | undefined
      /** The one above it */
      readonly parent?: {
        /** A category */
        readonly ctnoId: number | string
      } | null | undefined
    }
    readonly answer: Category
  }
  /** Statuses of cases that users defined. */
  readonly 'GET /rest/svcems/statuses': {
    readonly query?: {
      /** 35013, also when absent: user-defined statuses; others are empty */
      readonly type?: number | undefined
      /** Also those that are not used any more */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly EmsStatus[]
  }
  /** Add a status of cases. */
  readonly 'POST /rest/svcems/statuses': {
    readonly body: {
      /** As people call it */
      readonly name: string
      /** 0 when absent */
      readonly sortOrder?: number | undefined
      /** Its first when absent */
      readonly corporation?: CaseWithCorpIdIn | undefined
      /** As #2f6fde */
      readonly color?: string | null | undefined
      /** It takes the place of the default there is */
      readonly default?: boolean | undefined
      /** How cases of it behave; for good */
      readonly internalStatus: number
    }
    readonly answer: EmsStatus
  }
  /** Priorities of cases. */
  readonly 'GET /rest/svcems/priorities': {
    readonly query?: WithAllIn2
    readonly answer: readonly Priority[]
  }
  /** Add a priority. */
  readonly 'POST /rest/svcems/priorities': {
    readonly body: {
      /** As people call it */
      readonly name: string
      /** 0 when absent */
      readonly sortOrder?: number | undefined
      /** Its first when absent */
      readonly corporation?: CaseWithCorpIdIn | undefined
      /** As #2f6fde */
      readonly color?: string | null | undefined
      /** It takes the place of the default there is */
      readonly default?: boolean | undefined
      /** Urgency; a higher level is more urgent */
      readonly level: number
    }
    readonly answer: Priority
  }
  /** Change the given fields of a category. */
  readonly 'PATCH /rest/svcems/categories/{ctnoId}': {
    readonly params: WithCtnoIdIn
    readonly body: {
      /** As people call it */
      readonly name?: string | undefined
      /** Position in the list, lowest first */
      readonly sortOrder?: number | undefined
      /** False: cases that have it keep it, and it is given to nothing more */
      readonly active?: boolean | undefined
    }
    readonly answer: Category
  }
  /** Change the given fields of a status. */
  readonly 'PATCH /rest/svcems/statuses/{emstId}': {
    readonly params: {
      /** The status */
      readonly emstId: number | string
    }
    readonly body: {
      /** As people call it */
      readonly name?: string | undefined
      /** Position in the list, lowest first */
      readonly sortOrder?: number | undefined
      /** False: cases that have it keep it, and it is given to nothing more */
      readonly active?: boolean | undefined
      /** As #2f6fde */
      readonly color?: string | null | undefined
      /** It takes the place of the default there is */
      readonly default?: true | undefined
    }
    readonly answer: EmsStatus
  }
  /** Change the given fields of a priority. */
  readonly 'PATCH /rest/svcems/priorities/{empriId}': {
    readonly params: {
      /** The priority */
      readonly empriId: number | string
    }
    readonly body: {
      /** As people call it */
      readonly name?: string | undefined
      /** Position in the list, lowest first */
      readonly sortOrder?: number | undefined
      /** False: cases that have it keep it, and it is given to nothing more */
      readonly active?: boolean | undefined
      /** As #2f6fde */
      readonly color?: string | null | undefined
      /** It takes the place of the default there is */
      readonly default?: true | undefined
      /** Urgency; a higher level is more urgent */
      readonly level?: number | undefined
    }
    readonly answer: Priority
  }
  /** A file of an activity, or of a recording. */
  readonly 'GET /rest/core/corefile': {
    readonly query: {
      /** The file */
      readonly cfreId: number | string
    }
    readonly answer: Uint8Array
  }
  /** Put files to a case. */
  readonly 'POST /rest/core/corefile': {
    readonly query: {
      /** Always 35007: the table of cases */
      readonly tblId: 35007
      /** Always 3: a file put there by hand */
      readonly type: 3
      /** The eactId of the case */
      readonly id: number | string
    }
    readonly body: FormData
    readonly answer: readonly ({
      /** Id of a file, for GET /rest/core/corefile */
      readonly cfreId: number
      /** What the file is to its activity */
      readonly type: 3
      /** As it was sent, without any folder */
      readonly fileName: string
      /** As it was sent; not what it is served as */
      readonly mimeType: string
      /** In bytes */
      readonly size: number
      /** Of its bytes, in hexadecimal digits */
      readonly sha256: string
      /** When it was put there */
      readonly creationTs: string | null
      /** The case that has it */
      readonly activity: LinkWithEactId
    })[]
  }
  /** Activities by their ids or contacts, newest first. */
  readonly 'GET /rest/svcems/activities': {
    readonly query?: {
      /** Activities: one id, or several divided by commas */
      readonly eactId?: readonly (number | string)[] | undefined
      /** Those about these contacts, by the ids of their extensions */
      readonly eeexId?: readonly (number | string)[] | undefined
      /** With members: who takes part */
      readonly getMembers?: boolean | undefined
      /** With coreFileReferences */
      readonly getFiles?: boolean | undefined
      /** With emsTags */
      readonly getEmsTags?: boolean | undefined
      /** First of the window, from 0, which it is when absent */
      readonly limitFrom?: number | undefined
      /** First after the window; at most 1000 after limitFrom, 100 when absent */
      readonly limitTo?: number | undefined
    }
    readonly answer: readonly Activity[]
  }
  /** Activities by their ids, or by what they are linked to. */
  readonly 'POST /rest/svcems/activities/search': {
    readonly body: {
      /** Activities; not found, they are left out */
      readonly eactIds?: readonly (number | string)[] | undefined
      /** Those linked to given ones; any of these */
      readonly activityLinkFilters?: readonly ({
        /** Given ones */
        readonly eactIds: readonly (number | string)[]
        /** 13, 14, 16; all when absent */
        readonly linkTypes?: readonly (13 | 14 | 16)[] | undefined
        /** FROM, when absent: the other ends of the links that a given activity has. TO: only where links point at it. Of a conversation both are its emails, of a case what is linked to it. */
        readonly linkDirection?: "FROM" | "TO" | undefined
      })[] | undefined
      /** With members: who takes part */
      readonly getMembers?: boolean | undefined
      /** With coreFileReferences */
      readonly getFiles?: boolean | undefined
      /** With emsTags */
      readonly getEmsTags?: boolean | undefined
      /** First of the window, from 0, which it is when absent */
      readonly limitFrom?: number | undefined
      /** First after the window; 1000 after limitFrom when absent, and at most */
      readonly limitTo?: number | undefined
    }
    readonly answer: readonly Activity[]
  }
  /** Get the content of an email. */
  readonly 'GET /rest/svcems/emailcontent': {
    readonly query: {
      /** The email */
      readonly eactId: number | string
    }
    readonly answer: Uint8Array | {
      /** Id of an activity: a call, an email, a conversation or a case */
      readonly eactId: number
      /** Subject */
      readonly subject: string
      /** Sender as given in the email; not verified */
      readonly from: WithAddressName | null
      /** End */
      readonly to: readonly WithAddressName[]
      /** Copy recipients */
      readonly cc: readonly WithAddressName[]
      /** Date of the email; the arrival time if it has none */
      readonly date: string | null
      /** Media type of the content without an Accept header */
      readonly contentType: "text/html" | "text/plain"
      /** Sanitized HTML; images refer to files with the prefix cid: */
      readonly html: string | null
      /** Readable text of the email */
      readonly text: string
      /** Files */
      readonly coreFileReferences: readonly ({
        /** Id of a file, for GET /rest/core/corefile */
        readonly cfreId: number
        /** 1 inline image, 2 attachment, 17 content of an email */
        readonly type: number
        /** File name */
        readonly fileName: string
        /** Media type given by the sender */
        readonly mimeType: string
        /** Size in bytes */
        readonly size: number
        /** Content id of an inline image; the HTML refers to it with the prefix cid: */
        readonly contentId: string | null
      })[]
      /** Message-ID without brackets */
      readonly messageId: string
      /** Why the email counts as automatic; null if a person wrote it */
      readonly automatic: string | null
      /** Delivery state; null for a received email */
      readonly outgoing: {
        /** failed: refused, or later reported as undeliverable; unknown: it may have been sent, and is not sent again automatically */
        readonly state: "queued" | "sending" | "sent" | "failed" | "unknown"
        /** Number of attempts to send */
        readonly tries: number
        /** Last response of the mail server */
        readonly why: string | null
        /** Time of the next attempt */
        readonly nextTryTs: string | null
        /** Time when the mail server accepted it */
        readonly sentTs: string | null
      } | null
    }
  }
  /** Send an email from a case. */
  readonly 'POST /rest/svcems/emails': {
    readonly body: {
      /** The activity that the record belongs to */
      readonly activity: {
        /** Id of the case */
        readonly eactId: number | string
      }
      /** End */
      readonly to: readonly ToIn[]
      /** Copy recipients */
      readonly cc?: readonly ToIn[] | undefined
      /** Subject; the case number is added in front, for example [#12], to assign replies to the case */
      readonly subject: string
      /** Plain text; derived from the HTML if absent */
      readonly text?: string | undefined
      /** HTML; unsafe parts are removed */
      readonly html?: string | undefined
      /** Attached files */
      readonly files?: readonly ({
        /** Id of a file, for example an upload to the case */
        readonly cfreId: number | string
      })[] | undefined
    }
    readonly answer: {
      /** Id of the email */
      readonly eactId: number
      /** The conversation that groups the emails of one thread */
      readonly conversation: LinkWithEactId
      /** The case; for a merged case, the case that it was merged into */
      readonly activity: LinkWithEactId
      /** Id of the message */
      readonly messageId: string
      /** Subject */
      readonly subject: string
      /** Current state */
      readonly state: "queued"
    }
  }
  /** Put an activity into a case, or a case under another. */
  readonly 'PUT /rest/svcems/activitylinks': {
    readonly body: {
      /** 14: an activity into a case. 16: a case under another case. */
      readonly type: 14 | 16
      /** A call, an email or a conversation; of type 16 a case */
      readonly from: WithEactIdIn
      /** The case */
      readonly to: WithEactIdIn
    }
    readonly answer: {
      /** 14: an activity into a case. 16: a case under another case. */
      readonly type: 14 | 16
      /** A call, an email or a conversation; of type 16 a case */
      readonly from: ActivitylinkWithEactId
      /** The case */
      readonly to: ActivitylinkWithEactId
    }
  }
  /** Take an activity out of a case, or a case from under another. */
  readonly 'DELETE /rest/svcems/activitylinks': {
    readonly query: {
      /** 14: an activity into a case. 16: a case under another case. */
      readonly type: 14 | 16
      /** The eactId where the link begins */
      readonly from: number | string
      /** The eactId of the case that it points at */
      readonly to: number | string
    }
    readonly answer: undefined
  }
  /** Subscribe to events. */
  readonly 'POST /rest/core/webhooks': {
    readonly body: {
      /** https URL without credentials and fragment */
      readonly url: string
      /** Events */
      readonly events: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[]
      /** Description */
      readonly description?: string | null | undefined
      /** Only calls of these external systems; empty: all calls, including calls without a system */
      readonly systemCodes?: readonly string[] | null | undefined
      /** Whether the record is in use */
      readonly active?: boolean | undefined
      /** The corporation that owns the record */
      readonly corporation?: {
        /** Corporation; default: the first one of the credential */
        readonly corpId: number | string
      } | undefined
    }
    readonly answer: Webhook & WithSecret
  }
  /** List subscriptions. */
  readonly 'GET /rest/core/webhooks': {
    readonly answer: readonly Webhook[]
  }
  /** Get a subscription. */
  readonly 'GET /rest/core/webhooks/{webhookId}': {
    readonly params: WithWebhookIdIn
    readonly answer: Webhook
  }
  /** Change the given fields of a subscription. */
  readonly 'PATCH /rest/core/webhooks/{webhookId}': {
    readonly params: WithWebhookIdIn
    readonly body: {
      /** https URL without credentials and fragment */
      readonly url?: string | undefined
      /** Events */
      readonly events?: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[] | undefined
      /** Description */
      readonly description?: string | null | undefined
      /** Only calls of these external systems; empty: all calls, including calls without a system */
      readonly systemCodes?: readonly string[] | null | undefined
      /** Whether the record is in use */
      readonly active?: boolean | undefined
    }
    readonly answer: Webhook
  }
  /** Remove a subscription and its deliveries. */
  readonly 'DELETE /rest/core/webhooks/{webhookId}': {
    readonly params: WithWebhookIdIn
    readonly answer: undefined
  }
  /** Rotate the signing secret. */
  readonly 'POST /rest/core/webhooks/{webhookId}/rotate-secret': {
    readonly params: WithWebhookIdIn
    readonly body?: WithOverlapHoursIn
    readonly answer: Webhook & WithSecret
  }
  /** Send a test event and wait for the answer. */
  readonly 'POST /rest/core/webhooks/{webhookId}/test': {
    readonly params: WithWebhookIdIn
    readonly answer: Delivery
  }
  /** List deliveries of a subscription, newest event first. */
  readonly 'GET /rest/core/webhooks/{webhookId}/deliveries': {
    readonly params: WithWebhookIdIn
    readonly query?: {
      /** pending, waiting, delivered, dead, parked */
      readonly status?: readonly ("pending" | "waiting" | "delivered" | "dead" | "parked")[] | undefined
      /** Events from this time */
      readonly from?: number | string | undefined
      /** Events before this time */
      readonly to?: number | string | undefined
      /** Number of rows to skip; default 0 */
      readonly offset?: number | undefined
      /** Maximum number of rows */
      readonly size?: number | undefined
    }
    readonly answer: readonly Delivery[]
  }
  /** Send a delivery again with a full retry schedule. */
  readonly 'POST /rest/core/deliveries/{deliveryId}/replay': {
    readonly params: {
      /** The delivery */
      readonly deliveryId: number | string
    }
    readonly answer: {
      /** Id of a delivery */
      readonly deliveryId: number
      /** Status */
      readonly status: "pending"
    }
  }
  /** Send events that a subscription missed. */
  readonly 'POST /rest/core/webhooks/{webhookId}/recover': {
    readonly params: WithWebhookIdIn
    readonly body: {
      /** Events from this time */
      readonly from: number | string
      /** Events before this time; default now */
      readonly to?: number | string | undefined
    }
    readonly answer: {
      /** Number of queued deliveries */
      readonly queued: number
      /** Whether more results are available now */
      readonly more: boolean
    }
  }
  /** Read the events of the last 30 days in commit order. */
  readonly 'GET /rest/core/events': {
    readonly query?: {
      /** `next` of the previous page; starts with the oldest event if absent */
      readonly after?: string | undefined
      /** Return only these types */
      readonly types?: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[] | undefined
      /** Maximum number of events; default 100 */
      readonly limit?: number | undefined
    }
    readonly answer: {
      /** Events */
      readonly events: readonly ({
        /** Type */
        readonly type: "phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update"
        /** Event id: the webhook-id of its deliveries, the same for every attempt */
        readonly id: string
        /** Time of the event */
        readonly timestamp: string
        /** Id of the call activity; use calls/search to read it */
        readonly phoneCallId?: string
        /** Id of the call activity that the summary belongs to */
        readonly phoneCallSummaryId?: string
        /** The same ids and additional fields */
        readonly data: {
          /** Id of the call activity; use calls/search to read it */
          readonly phoneCallId?: string
          /** Id of the call activity that the summary belongs to */
          readonly phoneCallSummaryId?: string
          /** Version of the summary at the time of the event */
          readonly summaryVersion?: number
          /** Id of a corporation */
          readonly corpId: number
          /** production or development */
          readonly environment: string
        }
      })[]
      /** Cursor of the next page, to be sent as `after` */
      readonly next: string
      /** Whether more results are available now */
      readonly more: boolean
    }
  }
  /** What the agents of this node do who are logged in. */
  readonly 'GET /svcpbx/agents': {
    readonly answer: readonly ({
      /** Login name */
      readonly userName: string
      /** loggedOut, calling, ready, reserved, talking, wrapUp or paused */
      readonly state: string
      /** Since when */
      readonly sinceTs: string | null
      /** When it ends by itself */
      readonly untilTs: string | null
      /** Reason as text */
      readonly reason: string | null
      /** A pause or log-out that waits for lines to end */
      readonly asked: string | null
    })[]
  }
  /** Log in and out, pause, dial, skip, hang up, wrap up, say what came of a call. */
  readonly 'POST /svcpbx/agents/me/orders': {
    readonly body: {
      /** Type */
      readonly type: "logIn"
    } | {
      /** Type */
      readonly type: "logOut"
    } | {
      /** Type */
      readonly type: "ready"
    } | {
      /** Type */
      readonly type: "pause"
      /** Reason as text */
      readonly reason: string
    } | {
      /** Type */
      readonly type: "dial"
      /** A call task of your choice; else the offered one */
      readonly itcaId?: number | string | undefined
    } | {
      /** Type */
      readonly type: "skip"
    } | {
      /** Type */
      readonly type: "hangUp"
    } | {
      /** Type */
      readonly type: "endWrapUp"
    } | {
      /** Type */
      readonly type: "feedback"
      /** Type of feedback */
      readonly feedbackType: string
      /** The person is not imported again for a while (code 204) */
      readonly final?: boolean | undefined
      /** Note written by the agent */
      readonly note?: string | undefined
    } | {
      /** Type */
      readonly type: "callback"
      /** When to call again */
      readonly callBackTs: number | string
      /** Only then it may come before the interval is over */
      readonly askedByContact?: boolean | undefined
    } | {
      /** Type */
      readonly type: "recordingConsent"
    } | {
      /** Type */
      readonly type: "machine"
    }
    readonly answer: {
      /** The request was accepted */
      readonly ok: true
    }
  }
  /** A ticket that opens the event socket once, within 30 s. */
  readonly 'POST /svcpbx/agents/me/tickets': {
    readonly answer: {
      /** Opens the event socket once */
      readonly ticket: string
      /** Until when it opens anything */
      readonly expiresTs: string | null
    }
  }
  /** Read the audit trail, newest first. */
  readonly 'GET /rest/core/audit': {
    readonly query?: {
      /** Entries from this time */
      readonly sinceTs?: number | string | undefined
      /** Entries before this time; keep it constant while paging, because newer entries come first */
      readonly untilTs?: number | string | undefined
      /** read, create, change, delete, end, send, export or erase */
      readonly action?: string | undefined
      /** Type of the object, such as file or token */
      readonly object?: string | undefined
      /** Id of an object */
      readonly objectId?: string | undefined
      /** Public id of the credential */
      readonly rcntrl?: string | undefined
      /** User of the credential */
      readonly userId?: number | string | undefined
      /** Number of entries to skip; default 0 */
      readonly offset?: number | undefined
      /** Maximum number of entries; default 100 */
      readonly size?: number | undefined
    }
    readonly answer: readonly ({
      /** The corporation that owns the record */
      readonly corporation: WithCorpId
      /** Consecutive number within the corporation, starting at 1 */
      readonly auditId: number
      /** Time of the operation */
      readonly ts: string | null
      /** Public id of the credential; a service name for actions of the service itself */
      readonly rcntrl: string
      /** Id of a user */
      readonly userId: number | null
      /** Action */
      readonly action: string
      /** Type of the object */
      readonly object: string
      /** Ids of the objects, at most 100 */
      readonly objectIds: readonly string[]
      /** Number of objects */
      readonly count: number
      /** Method and path */
      readonly operation: string
      /** Reason as text */
      readonly reason: string | null
      /** Address */
      readonly address: string
      /** Identifies the request in the log */
      readonly traceId: string
      /** SHA-256 of the entry and the hash of the previous entry */
      readonly hash: string
    })[]
  }
  /** Export all data about a person. */
  readonly 'POST /rest/core/persons/export': {
    readonly body: ExportIn
    readonly answer: {
      /** False if a table has more than 5,000 rows; further rows are omitted */
      readonly complete: boolean
      /** Calls, recordings (files by cfreId), transcripts and summaries */
      readonly calls: Readonly<Record<string, unknown>>
      /** Cases, comments, emails and files */
      readonly activities: Readonly<Record<string, unknown>>
      /** Call tasks and attempts */
      readonly tasks: Readonly<Record<string, unknown>>
      /** Contacts and their phone numbers */
      readonly contacts: Readonly<Record<string, unknown>>
    }
  }
  /** Erase all data about a person. */
  readonly 'POST /rest/core/persons/erase': {
    readonly body: ExportIn
    readonly answer: {
      /** Number of anonymized calls */
      readonly calls: number
      /** Number of erased cases, conversations and emails */
      readonly activities: number
      /** Number of erased call tasks; they are not dialed any more */
      readonly callTasks: number
      /** Number of erased contacts */
      readonly entities: number
    }
  }
  /** Place a legal hold on a person, a case or everything. */
  readonly 'POST /rest/core/legalholds': {
    readonly body: {
      /** Role id of the contact */
      readonly eeexId?: number | string | undefined
      /** Contact id */
      readonly emenId?: number | string | undefined
      /** External system of the customer; requires extCustId */
      readonly systemCode?: string | undefined
      /** Customer id in the external system; requires systemCode */
      readonly extCustId?: string | undefined
      /** Phone number that belongs only to this person */
      readonly number?: string | undefined
      /** Email address; covers emails of this address, not a contact */
      readonly email?: string | undefined
      /** Corporation; default: the first one of the credential */
      readonly corporation?: ExportWithCorpIdIn | undefined
      /** A case with all its data */
      readonly eactId?: number | string | undefined
      /** All data of the corporation */
      readonly everything?: true | undefined
      /** Reason, for example a request number; stored for years, so it must not contain names */
      readonly reason: string
    }
    readonly answer: {
      /** Id of a legal hold */
      readonly holdId: number
    }
  }
  /** List legal holds. */
  readonly 'GET /rest/core/legalholds': {
    readonly answer: readonly ({
      /** Id of a legal hold */
      readonly holdId: number
      /** The corporation that owns the record */
      readonly corporation: WithCorpId
      /** Scope of the hold: person, case or everything */
      readonly keeps: string
      /** The case */
      readonly eactId: number | null
      /** Reason as text */
      readonly reason: string
      /** Start of the hold */
      readonly creationTs: string | null
    })[]
  }
  /** Lift a legal hold. */
  readonly 'DELETE /rest/core/legalholds/{holdId}': {
    readonly params: {
      /** The hold */
      readonly holdId: number | string
    }
    readonly answer: undefined
  }
  /** List failed background jobs, newest first. */
  readonly 'GET /rest/core/deadletters': {
    readonly query?: {
      /** Kind; all kinds if absent */
      readonly kind?: "transcript" | "summary" | "email" | undefined
      /** Number of rows to skip; default 0 */
      readonly offset?: number | undefined
      /** Maximum number of rows */
      readonly size?: number | undefined
    }
    readonly answer: readonly ({
      /** Id of a dead letter */
      readonly deadLetterId: string
      /** Transcript of a recording, summary of a call, or outgoing email */
      readonly kind: "transcript" | "summary" | "email"
      /** The corporation that owns the record */
      readonly corporation: WithCorpId
      /** The call or the email */
      readonly activity: LinkWithEactId
      /** Why it failed */
      readonly reason: string | null
      /** Number of attempts */
      readonly tries: number
      /** Creation time of the job */
      readonly creationTs: string | null
    })[]
  }
  /** Retry a failed job immediately, with all its attempts. */
  readonly 'POST /rest/core/deadletters/{deadLetterId}/retry': {
    readonly params: {
      /** Id of the dead letter */
      readonly deadLetterId: string
    }
    readonly answer: {
      /** Id of a dead letter */
      readonly deadLetterId: string
      /** Status */
      readonly status: "queued"
    }
  }
}

/** POST operations that only read, so repeating them is safe. */
export const READING_POSTS: readonly string[] = [
  'POST /dialer/callcode/{callCode}/forecast',
  'POST /dialer/calltaskget',
  'POST /svcdialer/calltaskcallattempts/search',
  'POST /svcems/calls/search',
  'POST /rest/svcems/activity-summary/search',
  'POST /rest/core/transcript/search',
  'POST /rest/svcems/cases/search',
]

/** Operations of the sign-on address. */
export const SIGN_ON: readonly string[] = [
  'GET /rest/api/state',
  'POST /rest/api/login',
]

/** Operations with pages: the paging parameter, and the field with the rows. */
export const PAGED = {
  'GET /rest/core/users': { by: 'offset', in: 'query' },
  'GET /svcdialer/calltaskimport': { by: 'pageNumber', in: 'query', rows: 'imports' },
  'GET /dialer/callcode': { by: 'pageNumber', in: 'query', rows: 'callCodes' },
  'POST /dialer/calltaskget': { by: 'pageNumber', in: 'body', rows: 'callTasks' },
  'POST /svcdialer/calltaskcallattempts/search': { by: 'pageNumber', in: 'body', rows: 'callAttempts' },
  'GET /dialer/stoplist/numbers': { by: 'pageNumber', in: 'query', rows: 'numbers' },
  'GET /dialer/stoplist/persons': { by: 'pageNumber', in: 'query', rows: 'persons' },
  'GET /rest/svcems/entity': { by: 'offset', in: 'query' },
  'POST /rest/svcems/cases/search': { by: 'limitFrom', in: 'body' },
  'GET /rest/svcems/activities': { by: 'limitFrom', in: 'query' },
  'POST /rest/svcems/activities/search': { by: 'limitFrom', in: 'body' },
  'GET /rest/core/webhooks/{webhookId}/deliveries': { by: 'offset', in: 'query' },
  'GET /rest/core/events': { by: 'after', in: 'query', rows: 'events' },
  'GET /rest/core/audit': { by: 'offset', in: 'query' },
  'GET /rest/core/deadletters': { by: 'offset', in: 'query' },
} as const
