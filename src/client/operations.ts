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
  /** Title of a case; null for a call */
  readonly subject: string | null
  /** Internal status of a case, 1 to 8; null for other activities */
  readonly status: number | null
  /** 1 in, 2 out; null for a case */
  readonly direction: number | null
  /** When it was created */
  readonly creationTs: string | null
  /** When it was last changed */
  readonly updateTs: string | null
  /** When a call was answered */
  readonly startTs: string | null
  /** When it ended */
  readonly endTs: string | null
  /** Null if no user created it */
  readonly creator: Creator | null
  /** The corporation that owns the record */
  readonly corporation: WithCorpId
  /** The contact; null if it is unknown */
  readonly entityExtension: WithEeexId | null
  /** Links in both directions; the oldest 1,000 */
  readonly links: readonly ({
    /** 13 email to conversation, 14 activity to case, 16 sub-case to case */
    readonly type: number
    /** Source of the link */
    readonly from: LinkWithEactId
    /** Target of the link */
    readonly to: LinkWithEactId
  })[]
  /** Recordings of a call */
  readonly recordings: readonly Recording[]
  /** With getMembers */
  readonly members?: readonly ({
    /** 1 assigned user, 2 follower, 20 contact */
    readonly role: number
    /** The user, for roles 1 and 2 */
    readonly user: Creator | null
    /** The contact, for role 20 */
    readonly entityExtension: WithEeexId | null
    /** When the role began */
    readonly startTs: string | null
    /** When the role ended; null while it lasts */
    readonly endTs: string | null
  })[]
  /** With getFiles */
  readonly coreFileReferences?: readonly CoreFileReference[]
  /** With getEmsTags */
  readonly emsTags?: readonly EmsTag[]
}

type ActivitySummary = {
  /** The call activity. */
  readonly eactId: number
  /** The same value as eactId: a call has one summary. */
  readonly phoneCallSummaryId: number
  /** pending, ready, failed */
  readonly status: string
  /** Plain text; show it as text and never as HTML. Null until it is ready. */
  readonly text: string | null
  /** BCP 47; null until a text was generated. */
  readonly language: string | null
  /** Increases by one with every text; 0 before the first one. */
  readonly version: number
  /** When it was requested. */
  readonly creationTs: string | null
  /** When it was last changed. */
  readonly updateTs: string | null
  /** generated, edited */
  readonly source: string
  /** The user who wrote the text; null for a machine or a system. */
  readonly updatedBy: {
    /** Id of a user */
    readonly userId: number
  } | null
}

type ActivityType = {
  /** Always 15 */
  readonly eatyId: 15
  /** Display name */
  readonly name: "case"
}

type ActivitylinkWithEactId = {
  /** The activity */
  readonly eactId: number
}

type ActivitylinkWithEactIdIn = {
  /** The activity */
  readonly eactId: number | string
}

type Agent = {
  /** Id of a user */
  readonly userId: number | null
  /** Display name */
  readonly name: string
}

type Call = {
  /** Id of the call activity; all activities share one number space. */
  readonly eactId: number
  /** Type of the activity */
  readonly activityType: {
    /** Activity type: 10 call, 11 email, 15 case, 21 email conversation */
    readonly eatyId: 10
  }
  /** 1 in, 2 out */
  readonly direction: number
  /** The caller, as presented to the other side. */
  readonly callNumber: string
  /** Called number */
  readonly calledNumber: string
  /** When the call began. */
  readonly creationTs: string | null
  /** When it started to ring. */
  readonly ringTs: string | null
  /** When it was answered; null if it was not answered. */
  readonly startTs: string | null
  /** When it ended. */
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
  /** The contact; null if it is unknown. */
  readonly entityExtension: WithEeexId | null
  /** Absent if the call belongs to no external system. */
  readonly externalSystem?: CallTaskExternalSystem
  /** Case number in the external system */
  readonly systemLookupCode: string | null
  /** Absent if the call belongs to no call task. */
  readonly callAttempt?: {
    /** Id of a call attempt */
    readonly iccaId: number
    /** Id of a call task */
    readonly itcaId: number
    /** Code of a campaign */
    readonly callCode: number
  }
  /** Recordings of the call */
  readonly recordings: readonly Recording[]
  /** Whom the flow or an agent asked, or brought the other side to, in order. */
  readonly transfers: readonly ({
    /** The number, `sip:user@host`, or the user name of a colleague. */
    readonly target: string
    /** attended, blind; of agents attended (they left the two), consultation (nobody else heard it), conference (all three) */
    readonly mode: string
    /** When the flow or the agent asked for it. */
    readonly creationTs: string | null
    /** When both could talk, or the other network took over; null if nobody was reached. */
    readonly startTs: string | null
    /** When it ended. */
    readonly endTs: string | null
    /** done, busy, noAnswer, refused, failed */
    readonly outcome: string
  })[]
  /** What agents said about the call, oldest first. */
  readonly feedback: readonly Feedback[]
  /** Q.850 cause code of the hangup */
  readonly hangupCause: number | null
  /** Party that hung up */
  readonly hangupBy: string | null
  /** none, pending, ready, failed */
  readonly summaryStatus: string
}

type CallAttempt = {
  /** Id of a call attempt */
  readonly iccaId: number
  /** Id of a call task */
  readonly itcaId: number
  /** Code of a campaign */
  readonly callCode: number
  /** The call activity; it can be looked up when the call has ended. null: BLOCKED, there was no call. */
  readonly eactId: number | null
  /** From 1. */
  readonly attemptNo: number
  /** Phone number of the other party */
  readonly callNumber: string
  /** When it was dialed. */
  readonly dialTs: string | null
  /** When it started to ring. */
  readonly ringTs: string | null
  /** When it was answered, by a person or a machine. */
  readonly startTs: string | null
  /** When it ended. */
  readonly endTs: string | null
  /** 0 IN_PROGRESS, 1 ANSWERED, 2 NO_ANSWER, 3 BUSY, 4 VOICEMAIL, 5 DROPPED, 6 LOST, 7 FAILED, 8 INVALID_NUMBER, 9 REJECTED, 10 CANCELLED, 11 BLOCKED, 12 UNKNOWN */
  readonly result: number
  /** Result name */
  readonly resultName: string
  /** A person answered and was connected to an agent. At most one of the four results is true. */
  readonly answered: boolean
  /** Whether a machine answered */
  readonly voicemail: boolean
  /** A person answered, and no agent was available. */
  readonly dropped: boolean
  /** The callee hung up before an agent was available. */
  readonly lost: boolean
  /** Q.850 cause code of the hangup */
  readonly hangupCause: number | null
  /** SIP status code from the carrier */
  readonly sipStatus: number | null
  /** The agent; null if there was none */
  readonly agent: Agent | null
  /** What agents said about the call, oldest first. */
  readonly feedback: readonly Feedback[]
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
  /** Why the dialer paused the campaign, such as too many failed calls; active: true resumes it. Null otherwise. */
  readonly pausedReason: string | null
  /** Whether it can dial. Active or not is another question. */
  readonly ready: boolean
  /** The settings that are missing or wrong, some with the reason in brackets; empty if the campaign is ready. With a caller id that is not on its trunk a campaign accepts call tasks and dials none; with any other entry it does not accept call tasks. */
  readonly missing: readonly string[]
  /** When it was created. */
  readonly creationTs: string | null
  /** When it was last changed. */
  readonly updateTs: string | null
  /** The number that callees see: + and digits. */
  readonly callerId?: string
  /** Further numbers that callees see, each for its destinations: the longest prefix first, then the country, else callerId. Of several for the same destination each person always sees the same one. */
  readonly callerIds?: readonly CallerIdsIn[]
  /** Name of a carrier in the configuration. */
  readonly trunk?: string
  /** Names of carriers in their order: the next one takes over while calls over the ones before fail. With `trunk`, that one comes first. */
  readonly trunks?: readonly string[]
  /** How calls are placed */
  readonly dialMode?: "manual" | "preview" | "progressive" | "power" | "predictive"
  /** Numbers of one call task that ring at the same time. Each one beside the first needs room for an abandoned call in every ledger. */
  readonly parallelCalls?: number
  /** Lines for each idle agent, in mode power. */
  readonly linesPerAgent?: number
  /** How mode predictive decides: policy E, algorithm B or algorithm A; price if absent. */
  readonly pacing?: "price" | "risk" | "ratio"
  /** A second pacing that runs in the shadow: its decisions are shown, not dialed. */
  readonly shadowPacing?: "price" | "risk" | "ratio" | "oneToOne"
  /** Maximum lines for each agent, in every mode. */
  readonly linesPerAgentMax?: number
  /** Share of agents and trunk lines beside other campaigns that use the same ones. Default 1. */
  readonly weight?: number
  /** Share of calls to call tasks that were never called, while others are due as well. */
  readonly newPercent?: number
  /** Share of callers of the same agents who get an agent in time; agents are kept back for it. */
  readonly serviceGoal?: ServiceGoalIn
  /** Nothing is dialed before this instant. */
  readonly startsAt?: string
  /** From this instant on nothing is dialed: ringing phones ring out, and the campaign pauses itself. */
  readonly endsAt?: string
  /** A lower pace for some time. */
  readonly slowDown?: {
    /** Maximum lines for each agent */
    readonly linesPerAgentMax?: number
    /** At most one line for each idle agent. */
    readonly oneToOne?: boolean
    /** End of the lower pace; absent: until the setting is removed. */
    readonly until?: string
  }
  /** Abandoned calls per answered call in a day; at most 3 %. Default 3 % when no ledgers are set. */
  readonly maxAbandonRate?: number
  /** Limits on abandoned calls; all of them apply together. */
  readonly ledgers?: readonly ({
    /** Abandoned calls per answered call. */
    readonly maxAbandonRate: number
    /** A calendar day (the default), any 24 hours, a calendar month, or each 30 days after 30 days, from `since` on. */
    readonly window?: "day" | "24hours" | "month" | "30days"
    /** With 30days: the first day of the campaign. */
    readonly since?: string
    /** The calls that count: of the campaign (default), of the client (the corporation), or of the caller id. */
    readonly scope?: "campaign" | "client" | "callerId"
    /** The answers that count: those of persons (default), or also those of machines. */
    readonly denominator?: "answeredByPerson" | "allAnswered"
    /** Seconds that a person waits for an agent before the call counts as abandoned. Default 2. */
    readonly waitSeconds?: number
    /** Start of the wait: when a person is detected (default), or when the call is answered. */
    readonly waitFrom?: "greeting" | "answer"
  })[]
  /** How long a phone rings; at least 15 s. */
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
  /** Our own calendar of days without calls; default: that of the country of the caller id. Public holidays of the callee's country are days without calls as well, unless it is none. */
  readonly holidayCalendar?: "DK" | "none"
  /** Regions (ISO 3166-2, such as DE-BY) where callees may live: their own holidays count as well. */
  readonly holidayRegions?: readonly string[]
  /** Further dates without calls. */
  readonly holidays?: readonly string[]
  /** Answering machine detection */
  readonly machineDetection?: {
    /** Whether the feature is on */
    readonly enabled: boolean
    /** Action */
    readonly action?: "hangup" | "leaveMessage"
    /** It acts while agents prove that it takes no more persons for machines. Absent: it only listens. 100: always acts. */
    readonly maxErrorPercent?: number
  }
  /** Whether calls are recorded */
  readonly recording?: {
    /** When the feature applies */
    readonly mode: "off" | "consent" | "always"
    /** Announcement that is played first */
    readonly announcement?: string
    /** False: conversations are not transcribed, even if the installation does so. Default true. */
    readonly transcribe?: boolean
    /** Language as a BCP 47 tag */
    readonly language?: string
  }
  /** Whether supervisors may take part in conversations, and whether the agent is told. Default told; refused where recording is by consent. */
  readonly supervision?: "told" | "untold" | "refused"
  /** Messages for a person when no agent is free, and for a machine. */
  readonly messages?: {
    /** Whether a person answered and no agent was available */
    readonly dropped?: WithTextLanguage
    /** Announcement for a callee who answered while no agent was available */
    readonly apology?: WithTextLanguage
    /** Whether a machine answered */
    readonly voicemail?: WithTextLanguage
  }
  /** Countries (ISO 3166-1) that may be called. Default: the country of the caller id. */
  readonly allowedDestinations?: readonly string[]
  /** Maximum calls to one person in a number of days, over all campaigns. */
  readonly frequencyCap?: {
    /** Maximum number of calls */
    readonly calls: number
    /** Days */
    readonly days: number
    /** Days without a call after a conversation */
    readonly quietDaysAfterTalk?: number
  }
  /** Further caps beside frequencyCap; all of them apply together. */
  readonly frequencyCaps?: readonly ({
    /** Maximum number of calls */
    readonly calls: number
    /** Instead of days. */
    readonly hours?: number
    /** Instead of hours. */
    readonly days?: number
    /** case: calls to the person about one case; task: calls of one call task. Default person. */
    readonly per?: "person" | "case" | "task"
    /** calendarDay: whole days where the callee lives, today included. calendarWeek: whole weeks, Monday first; days is 7 for one week. Default rolling. */
    readonly window?: "rolling" | "calendarDay" | "calendarWeek"
  })[]
  /** Minutes without a call to a person after a call from them has ended. Default 5. */
  readonly quietMinutesAfterInbound?: number
  /** Messages on machines for one call task. Default 1. */
  readonly voicemailMessagesMax?: number
  /** What happens after a dropped call */
  readonly afterDropped?: "quietAndAgent" | "quietOrAgent"
  /** Minutes for which a callback is kept for the agent who promised it, while logged in. */
  readonly callbackAgentMinutes?: number
  /** Minutes from a callback that reached nobody to its next attempt. */
  readonly callbackRetryMinutes?: number
  /** Callers in the queue of the team may be called back. Needs dialMode manual. */
  readonly queueCallbacks?: boolean
  /** Agents may dial numbers. Needs dialMode manual. */
  readonly agentsDialNumbers?: boolean
  /** Least minutes from a call with this result to the next one; a longer minCallIntervalHours holds. */
  readonly retryMinutes?: {
    /** Least minutes after a busy line. */
    readonly busy?: number
    /** Least minutes after a call that nobody answered. */
    readonly noAnswer?: number
    /** Least minutes after a machine. */
    readonly voicemail?: number
  }
  /** The next call comes in another part of the day: before 12:00, before 16:00 or later, where the callee lives. All other rules hold as well. */
  readonly retryPartOfDay?: {
    /** After a call that nobody answered: the next part of the day, or the better of the other two by the campaign's answers. */
    readonly noAnswer?: "next" | "best"
    /** After a machine: the next part of the day, or the better of the other two by the campaign's answers. */
    readonly voicemail?: "next" | "best"
  }
  /** Import a call task without its invalid numbers */
  readonly skipInvalidNumbers?: boolean
  /** Numbers that the bundled plan calls not in use are imported and dialed where they are possible in their country. Default false. */
  readonly acceptPossibleNumbers?: boolean
  /** Import a call task without its stopped numbers */
  readonly dropStoppedNumbers?: boolean
  /** Days after final feedback during which the customer cannot be imported */
  readonly feedbackQuarantineDays?: number
  /** Whether the external system must have a popup URL */
  readonly requiresPopup?: boolean
  /** Plain text that agents see beside a call. {name}, {externalCaseNumber}, {customer}, {number} and the names of properties of the call task in braces are filled in. */
  readonly script?: string
  /** How long an agent may look at an offered call task */
  readonly previewSeconds?: number
  /** Skips after which a call task waits for its interval */
  readonly previewSkipsMax?: number
  /** Minutes after a call in which its agent may still give feedback about it */
  readonly resultWindowMinutes?: number
}

type CallTask = {
  /** Place in the submitted list; in answers to an import. */
  readonly callTaskIndex?: number
  /** Id of a call task */
  readonly itcaId: number
  /** Id of the campaign. */
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
  /** Earliest time of the next attempt. */
  readonly nextCallTs: string | null
  /** Time of a callback that the contact or an agent asked for. */
  readonly callBackTs: string | null
  /** When it was imported. */
  readonly creationTs: string | null
  /** When it was last changed. */
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
    /** When the network last said that the number does not exist. It is not dialed for 90 days after that. */
    readonly deadTs: string | null
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
  /** Higher first; 0 unless changed. */
  readonly priority?: number
  /** The call task is not dialed before. */
  readonly validFrom?: string | null
  /** From then on the call task is EXPIRED. */
  readonly validTo?: string | null
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
  /** The rule that put the next call off until nextCallTs, such as outsideHours or frequencyCap; skipped: agents skipped its preview; null: it waits for its date alone. */
  readonly waitsFor?: string | null
  /** Id of an import */
  readonly importId?: string | null
  /** The latest outcome that an agent saved about a call of the call task; null if there is none */
  readonly lastOutcome?: {
    /** Id of an outcome of a campaign */
    readonly outcomeId: number
    /** The name of the outcome when it was saved. */
    readonly name: string
    /** The call; the rest of the outcome is in its feedback. */
    readonly eactId: number
    /** When the agent saved it. */
    readonly creationTs: string | null
  } | null
  /** The finished call task that this one goes on from */
  readonly follows?: {
    /** The finished call task that this one goes on from: a callback, a machine, a list. */
    readonly itcaId: number
  } | null
  /** The latest call task that goes on from this one */
  readonly followedBy?: {
    /** The latest call task that goes on from this one. */
    readonly itcaId: number
  } | null
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

type CallWindowsIn = {
  /** 1 is Monday, 7 is Sunday. */
  readonly days: readonly number[]
  /** Wall time where the callee lives, such as 08:00. */
  readonly from: string
  /** Up to but without this minute; 24:00 is midnight. */
  readonly to: string
  /** An IANA zone; the same one in all windows. */
  readonly timeZone?: string | undefined
}

type CallcodeQueue = {
  /** Id of a queue */
  readonly ucquId: number | null
  /** Display name */
  readonly name: string
}

type CallcodeWithCorpIdIn = {
  /** The owner; it cannot be changed */
  readonly corpId: number | string
}

type CallcodeWithUcquIdIn = {
  /** The team whose agents take the calls */
  readonly ucquId: number | string
}

type CallerIdsIn = {
  /** The number that callees see: + and digits. */
  readonly number: string
  /** Whom it is for: countries (ISO 3166-1) such as DE, or prefixes of numbers such as +4930. */
  readonly destinations: readonly string[]
}

type CalltaskgetWithCallCodeIn = {
  /** Code of a campaign */
  readonly callCode: number
}

type CaseQueue = {
  /** Id of a queue */
  readonly ucquId: number
  /** Display name */
  readonly name: string
}

type CaseWithUcquIdIn = {
  /** The queue */
  readonly ucquId: number | string
}

type Category = {
  /** Id of a category */
  readonly ctnoId: number
  /** Name as people see it */
  readonly name: string
  /** The category above it; null at the top */
  readonly parent: {
    /** Id of a category */
    readonly ctnoId: number
  } | null
  /** False: existing cases keep it, and it cannot be given to others */
  readonly active: boolean
  /** Position in the list, lowest first */
  readonly sortOrder: number
}

type CoreFileReference = {
  /** Id of a file, for GET /rest/core/corefile */
  readonly cfreId: number
  /** 1 inline image, 2 attachment, 3 uploaded, 17 content of an email */
  readonly type: number
  /** File name */
  readonly fileName: string
  /** Media type */
  readonly mimeType: string
  /** In bytes */
  readonly size: number
  /** When it was stored */
  readonly creationTs: string | null
}

type Corporation = {
  /** Id of a corporation */
  readonly corpId: number
  /** Display name */
  readonly name: string
}

type Creator = {
  /** Id of a user */
  readonly userId: number
  /** Name to sign on with */
  readonly userName: string
  /** Name as people see it */
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

type Draft = {
  /** The name of the flow. */
  readonly flow: string
  /** Who made it: a user, a credential, or a file and its node. */
  readonly author: string
  /** Why. */
  readonly note: string | null
  /** When it was saved. */
  readonly savedTs: string | null
  /** The YAML; it may have errors. */
  readonly text: string
}

type EmsStatus = {
  /** Id of a custom status */
  readonly emstId: number
  /** Name as people see it */
  readonly name: string
  /** 1 open, 2 closed, 3 awaiting external action, 4 deleted, 5 merged, 6 spam, 7 awaiting internal action, 8 on hold */
  readonly internalStatus: number
  /** Whether this entry applies if none is given */
  readonly default: boolean
  /** False: existing cases keep it, and it cannot be given to others */
  readonly active: boolean
  /** Colour on screens */
  readonly color: string | null
  /** Position in the list, lowest first */
  readonly sortOrder: number
}

type EmsTag = {
  /** Id */
  readonly id: number
  /** The tag */
  readonly name: string
}

type Entity = {
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
    /** Id to look up activities by. */
    readonly eeexId: number
    /** 10 customer */
    readonly extType: number
    /** Our customer number. */
    readonly seqNo: number
    /** The customer in the external system; empty if no external system knows the customer. */
    readonly extensionLinks: readonly ({
      /** The external system. */
      readonly itsyId: number
      /** Code of an external system */
      readonly systemCode: string
      /** The customer in the external system. */
      readonly extCustId: string
    })[]
    /** The customer is on the stop list (our addition). */
    readonly stopped: boolean
  })[]
  /** BCP 47; null if unknown (our addition). */
  readonly language: string | null
  /** Telephone numbers */
  readonly numbers: readonly ({
    /** As it was imported. */
    readonly number: string
    /** In international form; null if it is not a telephone number. */
    readonly e164: string | null
    /** mobile, home, work, other */
    readonly type: string
    /** Whether this number is dialed first */
    readonly primary: boolean
    /** The number is on the stop list. */
    readonly stopped: boolean
  })[]
  /** When it was last changed (our addition). */
  readonly updateTs: string | null
}

type EntityWithCorpIdIn = {
  /** One of the corporations of the credential */
  readonly corpId: number | string
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
    /** Flows ask https://…/CaseInfo/{caseNumber} */
    readonly urlTemplate: string
    /** Header that carries the secret */
    readonly authHeaderName?: string
    /** Name of a secret of the configuration, never the secret itself */
    readonly authSecretRef?: string
    /** Timeout in milliseconds */
    readonly timeoutMs?: number
  } | null
  /** Stored only: private hosts that may be called are in allowedHosts of the configuration */
  readonly allowedHosts: readonly string[]
  /** Whether the record is in use */
  readonly active: boolean
}

type ExternalsystemWithCorpIdIn = {
  /** Default: the first corporation of the credential */
  readonly corpId: number | string
}

type Feedback = {
  /** Type of feedback */
  readonly feedbackType: string
  /** Whether the customer cannot be imported again for a while */
  readonly final: boolean
  /** Note written by the agent */
  readonly note: string | null
  /** The agent; null if there was none */
  readonly agent: Agent
  /** When the agent said it. */
  readonly creationTs: string | null
  /** The outcome of the campaign’s catalogue; null for free feedback */
  readonly outcome: {
    /** Id of an outcome of a campaign */
    readonly outcomeId: number
    /** The name of the outcome when it was saved. */
    readonly name: string
  } | null
  /** The values of the fields of the outcome. */
  readonly fields: readonly ({
    /** Display name */
    readonly name: string
    /** The value */
    readonly value: number | string
  })[]
  /** The callback that was promised with it. */
  readonly callBackTs: string | null
  /** Whether the agent promised to call back themselves. */
  readonly callBackForMe: boolean
}

type FieldIn = {
  /** What the agent reads, unique in the outcome */
  readonly name: string
  /** What it holds; a date is a day such as 2026-01-31 */
  readonly kind: "text" | "number" | "date" | "choice"
  /** Nothing is saved without it; default false */
  readonly required?: boolean | undefined
  /** The values to choose from; only of the kind choice, which needs them */
  readonly choices?: readonly string[] | undefined
}

type FrequencyCapIn = {
  /** Maximum number of calls */
  readonly calls: number
  /** Days */
  readonly days: number
  /** Days without a call after a conversation */
  readonly quietDaysAfterTalk?: number | undefined
}

type FrequencyCapsIn = {
  /** Maximum number of calls */
  readonly calls: number
  /** Instead of days. */
  readonly hours?: number | undefined
  /** Instead of hours. */
  readonly days?: number | undefined
  /** case: calls to the person about one case; task: calls of one call task. Default person. */
  readonly per?: "person" | "case" | "task" | undefined
  /** calendarDay: whole days where the callee lives, today included. calendarWeek: whole weeks, Monday first; days is 7 for one week. Default rolling. */
  readonly window?: "rolling" | "calendarDay" | "calendarWeek" | undefined
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
  /** When it was submitted. */
  readonly creationTs: string | null
  /** When the first call tasks were checked. */
  readonly startedTs: string | null
  /** When it was finished. */
  readonly finishedTs: string | null
}

type Infofield = {
  /** Id of an information field; priorities have ids of their own */
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
  /** Who changed it last; shown only to the corporation that runs this installation, otherwise null. */
  readonly by: string | null
  /** When it was last changed. */
  readonly ts: string | null
  /** Confirmation code; send it with on: false to lift the kill switch. */
  readonly confirm?: string
  /** When the confirmation code expires. */
  readonly confirmUntilTs?: string | null
}

type LedgersIn = {
  /** Abandoned calls per answered call. */
  readonly maxAbandonRate: number
  /** A calendar day (the default), any 24 hours, a calendar month, or each 30 days after 30 days, from `since` on. */
  readonly window?: "day" | "24hours" | "month" | "30days" | undefined
  /** With 30days: the first day of the campaign. */
  readonly since?: string | undefined
  /** The calls that count: of the campaign (default), of the client (the corporation), or of the caller id. */
  readonly scope?: "campaign" | "client" | "callerId" | undefined
  /** The answers that count: those of persons (default), or also those of machines. */
  readonly denominator?: "answeredByPerson" | "allAnswered" | undefined
  /** Seconds that a person waits for an agent before the call counts as abandoned. Default 2. */
  readonly waitSeconds?: number | undefined
  /** Start of the wait: when a person is detected (default), or when the call is answered. */
  readonly waitFrom?: "greeting" | "answer" | undefined
}

type Link = {
  /** 14 activity to case, 16 sub-case to case */
  readonly type: number
  /** Source of the link */
  readonly from: LinkWithEactId
  /** Target of the link */
  readonly to: LinkWithEactId
}

type LinkWithEactId = {
  /** Id of an activity: a call, an email, a conversation or a case */
  readonly eactId: number
}

type Log = {
  /** What was changed: status, assigned user, follower, contact, title, link … */
  readonly what: string
  /** The value before; null for a new one */
  readonly oldValue: unknown
  /** The value after */
  readonly newValue: unknown
  /** The reason of an automatic change */
  readonly reason: string | null
  /** The user; null for a system without a user */
  readonly user: Creator | null
  /** When it was changed */
  readonly creationTs: string | null
}

type LoginIn = {
  /** Login name */
  readonly userName: string
  /** The password */
  readonly password: string
  /** Of people with a second factor: the one-time code of their app, or a recovery code */
  readonly code?: string | undefined
}

type LookupIn = {
  /** Flows ask https://…/CaseInfo/{caseNumber} */
  readonly urlTemplate: string
  /** Header that carries the secret */
  readonly authHeaderName?: string | undefined
  /** Name of a secret of the configuration, never the secret itself */
  readonly authSecretRef?: string | undefined
  /** Timeout in milliseconds */
  readonly timeoutMs?: number | undefined
}

type MachineDetectionIn = {
  /** Whether the feature is on */
  readonly enabled: boolean
  /** Action */
  readonly action?: "hangup" | "leaveMessage" | undefined
  /** It acts while agents prove that it takes no more persons for machines. Absent: it only listens. 100: always acts. */
  readonly maxErrorPercent?: number | undefined
}

type Member = {
  /** 1 assigned user, 2 follower, 20 contact */
  readonly role: number
  /** When the role began */
  readonly startTs: string | null
  /** When the role ended; null while it lasts */
  readonly endTs: string | null
  /** The user; null for a contact */
  readonly user: Creator | null
  /** The contact; null for a user */
  readonly entityExtension: WithEeexId | null
}

type MessagesIn = {
  /** Whether a person answered and no agent was available */
  readonly dropped?: WithTextLanguageIn | undefined
  /** Announcement for a callee who answered while no agent was available */
  readonly apology?: WithTextLanguageIn | undefined
  /** Whether a machine answered */
  readonly voicemail?: WithTextLanguageIn | undefined
}

type NumberIn = {
  /** Rows per page: default 50; 0 or less means 1000; maximum 50000 */
  readonly limit?: number | undefined
  /** Page number, starting at 1; default 1 */
  readonly pageNumber?: number | undefined
  /** `next` of the page before, with the same filters: rows that come or go since cause no gap. The first page: empty. Without it the answer has no `next` */
  readonly after?: string | undefined
}

type OnTrial = {
  /** Calls that came to the step; each number counts once. */
  readonly calls: number
  /** Those of them that ended it so. */
  readonly bad: number
  /** bad/calls. */
  readonly rate: number
}

type Outcome = {
  /** Id of an outcome of a campaign */
  readonly outcomeId: number
  /** Display name */
  readonly name: string
  /** 1 to 9; null: no key */
  readonly key: string | null
  /** Whether the customer cannot be imported again for a while */
  readonly final: boolean
  /** Whether the outcome cannot be saved without the date of a callback */
  readonly needsCallBackDate: boolean
  /** Form fields */
  readonly fields: readonly ({
    /** Display name */
    readonly name: string
    /** text, number, date, choice */
    readonly kind: string
    /** Nothing is saved without it */
    readonly required: boolean
    /** The values to choose from; empty for the other kinds */
    readonly choices: readonly string[]
  })[]
  /** Whether agents can choose it; a retired outcome stays in old answers */
  readonly active: boolean
  /** Grows with each change; the ETag is "outcomeId-version" */
  readonly version: number
  /** When it was made. */
  readonly creationTs: string | null
  /** When it was last changed. */
  readonly updateTs: string | null
}

type OutcomeIn = {
  /** What the agent reads */
  readonly name: string
  /** The key that chooses it, 1 to 9; unique among the active outcomes; null: no key */
  readonly key?: string | null | undefined
  /** Ends the call task, and the customer cannot be imported into the campaign again before the quarantine ends (code 204); otherwise the call task goes on by the rules of the campaign */
  readonly final?: boolean | undefined
  /** Nothing is saved without callBackTs; a final outcome needs none */
  readonly needsCallBackDate?: boolean | undefined
  /** Form fields, in their order */
  readonly fields?: readonly FieldIn[] | undefined
}

type OutcomeIn2 = {
  /** What the agent reads */
  readonly name?: string | undefined
  /** The key that chooses it, 1 to 9; unique among the active outcomes; null: no key */
  readonly key?: string | null | undefined
  /** Ends the call task, and the customer cannot be imported into the campaign again before the quarantine ends (code 204); otherwise the call task goes on by the rules of the campaign */
  readonly final?: boolean | undefined
  /** Nothing is saved without callBackTs; a final outcome needs none */
  readonly needsCallBackDate?: boolean | undefined
  /** Form fields, in their order */
  readonly fields?: readonly FieldIn[] | undefined
  /** false retires it, true brings it back */
  readonly active?: boolean | undefined
}

type Pauses = {
  /** Whether it hangs up or leaves messages; otherwise it only listens, and agents get every answer. */
  readonly acts: boolean
  /** Persons whom it called machines, with the interval of their share. */
  readonly personsTaken: {
    /** Persons whom it called machines. */
    readonly count: number
    /** Calls of that kind to which it only listened and which had an agent. */
    readonly of: number
    /** Lower end of the 95 % interval, in percent. */
    readonly from: number
    /** Upper end of the 95 % interval, in percent; 100 while nothing is known. */
    readonly to: number
  }
  /** Machines that it did not find, with the interval of their share. */
  readonly machinesMissed: {
    /** Machines that it did not find. */
    readonly count: number
    /** Calls of that kind to which it only listened and which had an agent. */
    readonly of: number
    /** Lower end of the 95 % interval, in percent. */
    readonly from: number
    /** Upper end of the 95 % interval, in percent; 100 while nothing is known. */
    readonly to: number
  }
}

type Priority = {
  /** Id of the priority */
  readonly emprId: number
  /** Id of a priority; the same value as emprId */
  readonly empriId: number
  /** Name as people see it */
  readonly name: string
  /** Urgency; a higher level is more urgent */
  readonly level: number
  /** Whether this entry applies if none is given */
  readonly default: boolean
  /** False: existing cases keep it, and it cannot be given to others */
  readonly active: boolean
  /** Colour on screens */
  readonly color: string | null
  /** Position in the list, lowest first */
  readonly sortOrder: number
}

type PromoteIn = {
  /** Only if this one is on trial; otherwise the answer is 404. */
  readonly revision?: string | undefined
  /** Why, for whoever reads the list. */
  readonly note?: string | undefined
}

type PropValue = {
  /** The information field */
  readonly emprId: number
  /** Name of the information field */
  readonly name: string
  /** Its value */
  readonly value: string
}

type PropertiesIn = {
  /** Id of an information field */
  readonly emprId: number | string
  /** The value of the field */
  readonly value: string
  /** Adds the value to callReceiverName. */
  readonly addToCallTaskName?: boolean | undefined
}

type Publish = {
  /** The name of the flow. */
  readonly flow: string
  /** The first 12 digits of the SHA-256 of the text. */
  readonly revision: string
  /** False: this revision was live already. */
  readonly changed: boolean
  /** Whether new calls of this node take it; the others follow at once. */
  readonly takenHere: boolean
}

type Recording = {
  /** Id of a recording; use it to search for transcripts */
  readonly pcreId: number
  /** Start of the recording */
  readonly startTs: string | null
  /** End of the recording */
  readonly endTs: string | null
  /** The file; null if recording failed */
  readonly cfreId: number | null
  /** Whether the caller left it as a message; its queue is that of the call. */
  readonly voicemail: boolean
}

type RecordingIn = {
  /** When the feature applies */
  readonly mode: "off" | "consent" | "always"
  /** Announcement that is played first */
  readonly announcement?: string | undefined
  /** False: conversations are not transcribed, even if the installation does so. Default true. */
  readonly transcribe?: boolean | undefined
  /** Language as a BCP 47 tag */
  readonly language?: string | undefined
}

type RetryMinutesIn = {
  /** Least minutes after a busy line. */
  readonly busy?: number | undefined
  /** Least minutes after a call that nobody answered. */
  readonly noAnswer?: number | undefined
  /** Least minutes after a machine. */
  readonly voicemail?: number | undefined
}

type RetryPartOfDayIn = {
  /** After a call that nobody answered: the next part of the day, or the better of the other two by the campaign's answers. */
  readonly noAnswer?: "next" | "best" | undefined
  /** After a machine: the next part of the day, or the better of the other two by the campaign's answers. */
  readonly voicemail?: "next" | "best" | undefined
}

type ServiceGoalIn = {
  /** Share of callers that are to be answered in time, in percent */
  readonly percent: number
  /** Longest wait of a caller who counts as answered in time, in seconds */
  readonly withinSeconds: number
}

type Session = {
  /** Id of a user */
  readonly userId: number
  /** Login name */
  readonly userName: string
  /** Display name */
  readonly name: string
  /** Roles of the user */
  readonly roles: readonly ("agent" | "supervisor" | "admin")[]
  /** The corporation that owns the record */
  readonly corporation: {
    /** Id */
    readonly id: number
    /** Display name */
    readonly name: string
  }
  /** End of the session, if it is not used until then */
  readonly expiresTs: string | null
  /** The role of this person needs a second factor, and they have none: before they turn it on, every other operation is refused to them with 403 and the code `required` for `secondFactor`. */
  readonly owesSecondFactor: boolean
}

type SlowDownIn = {
  /** Maximum lines for each agent */
  readonly linesPerAgentMax?: number | undefined
  /** At most one line for each idle agent. */
  readonly oneToOne?: boolean | undefined
  /** End of the lower pace; absent: until the setting is removed. */
  readonly until?: string | undefined
}

type Supervision = {
  /** The call, as notifications to its agent name it. */
  readonly callId: string
  /** The agent. */
  readonly userName: string
  /** Whose phone rings, and who hears. */
  readonly supervisor: string
  /** listen, whisper or join */
  readonly mode: string
  /** ringing: the supervisor hears nothing yet; on */
  readonly state: string
  /** Start of the state. */
  readonly sinceTs: string | null
}

type Text = {
  /** Id of a comment */
  readonly textId: number
  /** HTML, cleaned of everything that could do harm */
  readonly text: string
  /** The case */
  readonly activity: LinkWithEactId
  /** When it was written */
  readonly creationTs: string | null
  /** The user; null for a system without a user */
  readonly creator: Creator | null
  /** Visible only inside the corporation */
  readonly internal: boolean
  /** The comment came from outside and may reopen the case */
  readonly external: boolean
}

type Ticket = {
  /** Opens one socket once */
  readonly ticket: string
  /** End of its validity */
  readonly expiresTs: string | null
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

type Webhook = {
  /** Id of a subscription */
  readonly webhookId: number
  /** The corporation that owns the record */
  readonly corporation: WithCorpId
  /** URL that events are sent to */
  readonly url: string
  /** Events */
  readonly events: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update" | "phone-call-outcome.creation")[]
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
  /** Time of the latest event that matched, of the last 30 days */
  readonly lastEventTs: string | null
  /** What its owner should look at: no event has matched for 7 days; null: nothing */
  readonly warning: string | null
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
  /** Also entries that are not active */
  readonly all?: boolean | undefined
}

type WithAllIn2 = {
  /** Also retired outcomes */
  readonly all?: boolean | undefined
}

type WithCallCodeIn = {
  /** The campaign */
  readonly callCode: number | string
}

type WithCallIdIn = {
  /** callId of the agent’s conversation, or its eactId, as GET /svcpbx/calls/live shows them */
  readonly callId: string
}

type WithCorpId = {
  /** Id of a corporation */
  readonly corpId: number
}

type WithCount = {
  /** Number of given entries, which are now on the list. */
  readonly count: number
}

type WithCount2 = {
  /** Number of removed entries. */
  readonly count: number
}

type WithCtnoIdIn = {
  /** The category */
  readonly ctnoId: number | string
}

type WithDaysIn = {
  /** Number of days, including today; default 30. */
  readonly days?: number | undefined
}

type WithEactIdIn = {
  /** The call activity */
  readonly eactId: number | string
}

type WithEeexId = {
  /** Id of a contact’s role, such as customer */
  readonly eeexId: number
}

type WithFlowIn = {
  /** The name of the flow, as its text says it. */
  readonly flow: string
}

type WithImportIdIn = {
  /** Id of an import */
  readonly importId: string
}

type WithItcaId = {
  /** Id of a call task */
  readonly itcaId: number
}

type WithItcaIdIn = {
  /** The call task */
  readonly itcaId: number | string
}

type WithItcaIdIn2 = {
  /** The call task that is called back */
  readonly itcaId: number | string
}

type WithItsyIdIn = {
  /** The external system */
  readonly itsyId: number | string
}

type WithMeanLowHigh = {
  /** Mean of the days. */
  readonly mean: number
  /** Lower bound of the 95 % interval. */
  readonly low: number
  /** Upper bound of the 95 % interval. */
  readonly high: number
}

type WithOk = {
  /** The request was accepted */
  readonly ok: true
}

type WithOutcomeIdsIn = {
  /** In their new order */
  readonly outcomeIds: readonly (number | string)[]
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

type WithTextLanguageIn = {
  /** The text */
  readonly text: string
  /** Language as a BCP 47 tag */
  readonly language?: string | undefined
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
    readonly body: LoginIn
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
  /** Sign in a person in a browser. */
  readonly 'POST /rest/core/session': {
    readonly body: LoginIn
    readonly answer: Session
  }
  /** Who the credential belongs to, and their roles. */
  readonly 'GET /rest/core/session': {
    readonly answer: Session
  }
  /** Sign out: the credential of this request is revoked. */
  readonly 'POST /rest/core/session/logout': {
    readonly answer: WithOk
  }
  /** Whether signing in takes a one-time code. */
  readonly 'GET /rest/core/session/second-factor': {
    readonly answer: {
      /** Whether the switch is on */
      readonly on: boolean
      /** Of ten */
      readonly recoveryCodesLeft: number
    }
  }
  /** Begin with a second factor: the secret for the app. */
  readonly 'POST /rest/core/session/second-factor': {
    readonly body: {
      /** The password */
      readonly password: string
    }
    readonly answer: {
      /** In Base32, to type into the app */
      readonly secret: string
      /** otpauth://…, to show as a QR code */
      readonly address: string
    }
  }
  /** Turn the second factor on with a first code. */
  readonly 'PUT /rest/core/session/second-factor': {
    readonly body: {
      /** The one-time code that the app shows */
      readonly code: string
    }
    readonly answer: {
      /** Ten */
      readonly recoveryCodes: readonly string[]
    }
  }
  /** Turn the second factor off. */
  readonly 'POST /rest/core/session/second-factor/off': {
    readonly body: {
      /** The password */
      readonly password: string
      /** The one-time code that the app shows */
      readonly code?: string | undefined
    }
    readonly answer: WithOk
  }
  /** Take the second factor of a person away who has lost app and recovery codes. */
  readonly 'DELETE /rest/core/users/{userName}/second-factor': {
    readonly params: {
      /** Login name */
      readonly userName: string
    }
    readonly answer: WithOk
  }
  /** Issue a credential. */
  readonly 'POST /rest/core/tokens': {
    readonly body: {
      /** Purpose of the credential, shown in the list */
      readonly name: string
      /** User of the credential; a system if absent */
      readonly userId?: number | string | undefined
      /** Scopes of the credential */
      readonly scopes: readonly ("dialer:read" | "dialer:write" | "calls:read" | "transcripts:read" | "entities:read" | "entities:write" | "cases:read" | "cases:write" | "files:read" | "files:write" | "users:read" | "webhooks:write" | "flows:write" | "config:write" | "admin")[]
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
      /** Without a user: the public id of the credential, its rcntrl. */
      readonly userName: string
      /** Without a user: what the credential was named. */
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
      readonly queues: readonly CaseQueue[]
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
      /** Its name in the configuration */
      readonly code: string
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
      /** Stored only: private hosts that may be called are in allowedHosts of the configuration */
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
      /** Stored only: private hosts that may be called are in allowedHosts of the configuration */
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
      /** Returns the call tasks that were created. */
      readonly returnImportedCallTasks?: boolean | undefined
      /** Returns at once; the import runs in the background. Query its state by importId. */
      readonly importAsync?: boolean | undefined
    }
    readonly body: {
      /** Code of an external system */
      readonly systemCode: string
      /** The campaign that receives the call tasks */
      readonly callCode: number | string
      /** Unanswered attempts of each call task */
      readonly maxCallAttempts: number
      /** Hours between two attempts */
      readonly minCallIntervalHours: number
      /** That of the call tasks of this list; 0 unless given. Higher first. */
      readonly priority?: number | undefined
      /** At most 10000 call tasks; 100000 with importAsync */
      readonly callTasks: readonly ({
        /** Name of the callee */
        readonly callReceiverName: string
        /** Numbers to dial, the first one first: + and digits, or as dialed in the country of the campaign */
        readonly callNumberList: readonly string[]
        /** Customer id in the external system */
        readonly extCustId?: string | undefined
        /** Case number in the external system */
        readonly systemLookupCode?: string | undefined
        /** Values of information fields; a single one may stand without a list */
        readonly properties?: readonly PropertiesIn[] | PropertiesIn | undefined
        /** Not dialed before this timestamp, which has an offset */
        readonly validFrom?: string | undefined
        /** From this timestamp on, which has an offset, the call task is EXPIRED */
        readonly validTo?: string | undefined
        /** Higher first; that of the request unless given */
        readonly priority?: number | undefined
        /** Language of the contact, a tag such as et */
        readonly language?: string | undefined
      })[]
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
  /** Imports of the last 30 days, newest first. */
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
  /** One import: its progress and its errors. */
  readonly 'GET /svcdialer/calltaskimport/{importId}': {
    readonly params: WithImportIdIn
    readonly query?: {
      /** Returns the call tasks that were created. */
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
      /** When it was submitted. */
      readonly creationTs: string | null
      /** When the first call tasks were checked. */
      readonly startedTs: string | null
      /** When it was finished. */
      readonly finishedTs: string | null
      /** Call tasks that were not imported */
      readonly callTaskErrors: readonly CallTaskError[]
      /** Call tasks on this page */
      readonly callTasks?: readonly CallTask[]
    }
  }
  /** Cancel the remaining call tasks of an import. */
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
      /** Imports nothing; the answer says what would be imported. */
      readonly dryRun?: boolean | undefined
      /** The import runs in the background, as it always does from 10001 rows on. */
      readonly importAsync?: boolean | undefined
      /** A JSON object: headings or letters of columns, and their fields. Columns that it does not contain are recognised by their headings. Fields: callReceiverName, firstName, lastName, callNumberList, extCustId, systemLookupCode, language, priority, validFrom, validTo, ignore, emprId:5 or emprId:5:addToCallTaskName. */
      readonly mapping?: string | undefined
      /** Number of the sheet, from 1; default: the first visible */
      readonly sheet?: number | undefined
      /** Encoding of a text file; default: detected */
      readonly charset?: "utf-8" | "windows-1252" | "windows-1257" | "utf-16le" | "utf-16be" | undefined
      /** csv: a copy of the sheet with the result of each row */
      readonly answer?: "json" | "csv" | undefined
    }
    readonly body: FormData
    readonly answer: string | {
      /** Nothing was imported */
      readonly dryRun: boolean
      /** Row number of the headings */
      readonly headingRow: number
      /** Rows below the headings that are not blank; each is a call task */
      readonly rowCount: number
      /** How each column was interpreted; change it with mapping */
      readonly columns: readonly ({
        /** Letter of the column */
        readonly column: string
        /** Heading in the sheet */
        readonly heading: string
        /** The field of the import; properties has an emprId; null if the column is ignored */
        readonly field: string | null
        /** Id of an information field; under priority, the id of a priority */
        readonly emprId?: number
        /** The value is appended to the name */
        readonly addToCallTaskName?: boolean
      })[]
      /** Warnings that need a check */
      readonly warnings: readonly string[]
      /** Rows that are not imported, at most the first 10000 */
      readonly callTaskErrors: readonly ({
        /** Place in the submitted list, from 0. */
        readonly callTaskIndex: number
        /** 1, 12, 101, 102, 103, 201, 202, 203, 204 */
        readonly errorCodes: readonly number[]
        /** Error as text */
        readonly errorText: string
        /** Row number in the sheet */
        readonly row: number
      })[]
      /** Number of rows that are not imported */
      readonly failedCount?: number
      /** For a dry run: number of rows that would be imported */
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
      /** Code of the campaign; for a new campaign it may be chosen, otherwise it is assigned */
      readonly callCode?: number | string | undefined
      /** Display name */
      readonly name?: string | undefined
      /** False: the campaign places no calls. */
      readonly active?: boolean | undefined
      /** The corporation that owns the record */
      readonly corporation?: CallcodeWithCorpIdIn | undefined
      /** The external system that the record belongs to */
      readonly externalSystem?: WithItsyIdIn | null | undefined
      /** The queue: the team whose agents take the calls */
      readonly queue?: CallcodeWithUcquIdIn | null | undefined
      /** The number that callees see: + and digits. */
      readonly callerId?: string | null | undefined
      /** Further numbers that callees see, each for its destinations: the longest prefix first, then the country, else callerId. Of several for the same destination each person always sees the same one. */
      readonly callerIds?: readonly CallerIdsIn[] | null | undefined
      /** Name of a carrier in the configuration. */
      readonly trunk?: string | null | undefined
      /** Names of carriers in their order: the next one takes over while calls over the ones before fail. With `trunk`, that one comes first. */
      readonly trunks?: readonly string[] | null | undefined
      /** How calls are placed */
      readonly dialMode?: "manual" | "preview" | "progressive" | "power" | "predictive" | null | undefined
      /** Numbers of one call task that ring at the same time. Each one beside the first needs room for an abandoned call in every ledger. */
      readonly parallelCalls?: number | null | undefined
      /** Lines for each idle agent, in mode power. */
      readonly linesPerAgent?: number | null | undefined
      /** How mode predictive decides: policy E, algorithm B or algorithm A; price if absent. */
      readonly pacing?: "price" | "risk" | "ratio" | null | undefined
      /** A second pacing that runs in the shadow: its decisions are shown, not dialed. */
      readonly shadowPacing?: "price" | "risk" | "ratio" | "oneToOne" | null | undefined
      /** Maximum lines for each agent, in every mode. */
      readonly linesPerAgentMax?: number | null | undefined
      /** Share of agents and trunk lines beside other campaigns that use the same ones. Default 1. */
      readonly weight?: number | null | undefined
      /** Share of calls to call tasks that were never called, while others are due as well. */
      readonly newPercent?: number | null | undefined
      /** Share of callers of the same agents who get an agent in time; agents are kept back for it. */
      readonly serviceGoal?: ServiceGoalIn | null | undefined
      /** Nothing is dialed before this instant. */
      readonly startsAt?: string | null | undefined
      /** From this instant on nothing is dialed: ringing phones ring out, and the campaign pauses itself. */
      readonly endsAt?: string | null | undefined
      /** A lower pace for some time. */
      readonly slowDown?: SlowDownIn | null | undefined
      /** Abandoned calls per answered call in a day; at most 3 %. Default 3 % when no ledgers are set. */
      readonly maxAbandonRate?: number | null | undefined
      /** Limits on abandoned calls; all of them apply together. */
      readonly ledgers?: readonly LedgersIn[] | null | undefined
      /** How long a phone rings; at least 15 s. */
      readonly ringTimeoutSeconds?: number | null | undefined
      /** What happens after a conversation */
      readonly wrapUpMode?: "timed" | "byHand" | null | undefined
      /** Wrap-up time in seconds */
      readonly wrapUpSeconds?: number | null | undefined
      /** Times when calls may be placed */
      readonly callWindows?: readonly CallWindowsIn[] | null | undefined
      /** Our own calendar of days without calls; default: that of the country of the caller id. Public holidays of the callee's country are days without calls as well, unless it is none. */
      readonly holidayCalendar?: "DK" | "none" | null | undefined
      /** Regions (ISO 3166-2, such as DE-BY) where callees may live: their own holidays count as well. */
      readonly holidayRegions?: readonly string[] | null | undefined
      /** Further dates without calls. */
      readonly holidays?: readonly string[] | null | undefined
      /** Answering machine detection */
      readonly machineDetection?: MachineDetectionIn | null | undefined
      /** Whether calls are recorded */
      readonly recording?: RecordingIn | null | undefined
      /** Whether supervisors may take part in conversations, and whether the agent is told. Default told; refused where recording is by consent. */
      readonly supervision?: "told" | "untold" | "refused" | null | undefined
      /** Messages for a person when no agent is free, and for a machine. */
      readonly messages?: MessagesIn | null | undefined
      /** Countries (ISO 3166-1) that may be called. Default: the country of the caller id. */
      readonly allowedDestinations?: readonly string[] | null | undefined
      /** Maximum calls to one person in a number of days, over all campaigns. */
      readonly frequencyCap?: FrequencyCapIn | null | undefined
      /** Further caps beside frequencyCap; all of them apply together. */
      readonly frequencyCaps?: readonly FrequencyCapsIn[] | null | undefined
      /** Minutes without a call to a person after a call from them has ended. Default 5. */
      readonly quietMinutesAfterInbound?: number | null | undefined
      /** Messages on machines for one call task. Default 1. */
      readonly voicemailMessagesMax?: number | null | undefined
      /** What happens after a dropped call */
      readonly afterDropped?: "quietAndAgent" | "quietOrAgent" | null | undefined
      /** Minutes for which a callback is kept for the agent who promised it, while logged in. */
      readonly callbackAgentMinutes?: number | null | undefined
      /** Minutes from a callback that reached nobody to its next attempt. */
      readonly callbackRetryMinutes?: number | null | undefined
      /** Callers in the queue of the team may be called back. Needs dialMode manual. */
      readonly queueCallbacks?: boolean | null | undefined
      /** Agents may dial numbers. Needs dialMode manual. */
      readonly agentsDialNumbers?: boolean | null | undefined
      /** Least minutes from a call with this result to the next one; a longer minCallIntervalHours holds. */
      readonly retryMinutes?: RetryMinutesIn | null | undefined
      /** The next call comes in another part of the day: before 12:00, before 16:00 or later, where the callee lives. All other rules hold as well. */
      readonly retryPartOfDay?: RetryPartOfDayIn | null | undefined
      /** Import a call task without its invalid numbers */
      readonly skipInvalidNumbers?: boolean | null | undefined
      /** Numbers that the bundled plan calls not in use are imported and dialed where they are possible in their country. Default false. */
      readonly acceptPossibleNumbers?: boolean | null | undefined
      /** Import a call task without its stopped numbers */
      readonly dropStoppedNumbers?: boolean | null | undefined
      /** Days after final feedback during which the customer cannot be imported */
      readonly feedbackQuarantineDays?: number | null | undefined
      /** Whether the external system must have a popup URL */
      readonly requiresPopup?: boolean | null | undefined
      /** Plain text that agents see beside a call. {name}, {externalCaseNumber}, {customer}, {number} and the names of properties of the call task in braces are filled in. */
      readonly script?: string | null | undefined
      /** How long an agent may look at an offered call task */
      readonly previewSeconds?: number | null | undefined
      /** Skips after which a call task waits for its interval */
      readonly previewSkipsMax?: number | null | undefined
      /** Minutes after a call in which its agent may still give feedback about it */
      readonly resultWindowMinutes?: number | null | undefined
      /** Campaigns */
      readonly callCodes?: readonly ({
        /** Code of the campaign; for a new campaign it may be chosen, otherwise it is assigned */
        readonly callCode?: number | string | undefined
        /** Display name */
        readonly name?: string | undefined
        /** False: the campaign places no calls. */
        readonly active?: boolean | undefined
        /** The corporation that owns the record */
        readonly corporation?: CallcodeWithCorpIdIn | undefined
        /** The external system that the record belongs to */
        readonly externalSystem?: WithItsyIdIn | null | undefined
        /** The queue: the team whose agents take the calls */
        readonly queue?: CallcodeWithUcquIdIn | null | undefined
        /** The number that callees see: + and digits. */
        readonly callerId?: string | null | undefined
        /** Further numbers that callees see, each for its destinations: the longest prefix first, then the country, else callerId. Of several for the same destination each person always sees the same one. */
        readonly callerIds?: readonly CallerIdsIn[] | null | undefined
        /** Name of a carrier in the configuration. */
        readonly trunk?: string | null | undefined
        /** Names of carriers in their order: the next one takes over while calls over the ones before fail. With `trunk`, that one comes first. */
        readonly trunks?: readonly string[] | null | undefined
        /** How calls are placed */
        readonly dialMode?: "manual" | "preview" | "progressive" | "power" | "predictive" | null | undefined
        /** Numbers of one call task that ring at the same time. Each one beside the first needs room for an abandoned call in every ledger. */
        readonly parallelCalls?: number | null | undefined
        /** Lines for each idle agent, in mode power. */
        readonly linesPerAgent?: number | null | undefined
        /** How mode predictive decides: policy E, algorithm B or algorithm A; price if absent. */
        readonly pacing?: "price" | "risk" | "ratio" | null | undefined
        /** A second pacing that runs in the shadow: its decisions are shown, not dialed. */
        readonly shadowPacing?: "price" | "risk" | "ratio" | "oneToOne" | null | undefined
        /** Maximum lines for each agent, in every mode. */
        readonly linesPerAgentMax?: number | null | undefined
        /** Share of agents and trunk lines beside other campaigns that use the same ones. Default 1. */
        readonly weight?: number | null | undefined
        /** Share of calls to call tasks that were never called, while others are due as well. */
        readonly newPercent?: number | null | undefined
        /** Share of callers of the same agents who get an agent in time; agents are kept back for it. */
        readonly serviceGoal?: ServiceGoalIn | null | undefined
        /** Nothing is dialed before this instant. */
        readonly startsAt?: string | null | undefined
        /** From this instant on nothing is dialed: ringing phones ring out, and the campaign pauses itself. */
        readonly endsAt?: string | null | undefined
        /** A lower pace for some time. */
        readonly slowDown?: SlowDownIn | null | undefined
        /** Abandoned calls per answered call in a day; at most 3 %. Default 3 % when no ledgers are set. */
        readonly maxAbandonRate?: number | null | undefined
        /** Limits on abandoned calls; all of them apply together. */
        readonly ledgers?: readonly LedgersIn[] | null | undefined
        /** How long a phone rings; at least 15 s. */
        readonly ringTimeoutSeconds?: number | null | undefined
        /** What happens after a conversation */
        readonly wrapUpMode?: "timed" | "byHand" | null | undefined
        /** Wrap-up time in seconds */
        readonly wrapUpSeconds?: number | null | undefined
        /** Times when calls may be placed */
        readonly callWindows?: readonly CallWindowsIn[] | null | undefined
        /** Our own calendar of days without calls; default: that of the country of the caller id. Public holidays of the callee's country are days without calls as well, unless it is none. */
        readonly holidayCalendar?: "DK" | "none" | null | undefined
        /** Regions (ISO 3166-2, such as DE-BY) where callees may live: their own holidays count as well. */
        readonly holidayRegions?: readonly string[] | null | undefined
        /** Further dates without calls. */
        readonly holidays?: readonly string[] | null | undefined
        /** Answering machine detection */
        readonly machineDetection?: MachineDetectionIn | null | undefined
        /** Whether calls are recorded */
        readonly recording?: RecordingIn | null | undefined
        /** Whether supervisors may take part in conversations, and whether the agent is told. Default told; refused where recording is by consent. */
        readonly supervision?: "told" | "untold" | "refused" | null | undefined
        /** Messages for a person when no agent is free, and for a machine. */
        readonly messages?: MessagesIn | null | undefined
        /** Countries (ISO 3166-1) that may be called. Default: the country of the caller id. */
        readonly allowedDestinations?: readonly string[] | null | undefined
        /** Maximum calls to one person in a number of days, over all campaigns. */
        readonly frequencyCap?: FrequencyCapIn | null | undefined
        /** Further caps beside frequencyCap; all of them apply together. */
        readonly frequencyCaps?: readonly FrequencyCapsIn[] | null | undefined
        /** Minutes without a call to a person after a call from them has ended. Default 5. */
        readonly quietMinutesAfterInbound?: number | null | undefined
        /** Messages on machines for one call task. Default 1. */
        readonly voicemailMessagesMax?: number | null | undefined
        /** What happens after a dropped call */
        readonly afterDropped?: "quietAndAgent" | "quietOrAgent" | null | undefined
        /** Minutes for which a callback is kept for the agent who promised it, while logged in. */
        readonly callbackAgentMinutes?: number | null | undefined
        /** Minutes from a callback that reached nobody to its next attempt. */
        readonly callbackRetryMinutes?: number | null | undefined
        /** Callers in the queue of the team may be called back. Needs dialMode manual. */
        readonly queueCallbacks?: boolean | null | undefined
        /** Agents may dial numbers. Needs dialMode manual. */
        readonly agentsDialNumbers?: boolean | null | undefined
        /** Least minutes from a call with this result to the next one; a longer minCallIntervalHours holds. */
        readonly retryMinutes?: RetryMinutesIn | null | undefined
        /** The next call comes in another part of the day: before 12:00, before 16:00 or later, where the callee lives. All other rules hold as well. */
        readonly retryPartOfDay?: RetryPartOfDayIn | null | undefined
        /** Import a call task without its invalid numbers */
        readonly skipInvalidNumbers?: boolean | null | undefined
        /** Numbers that the bundled plan calls not in use are imported and dialed where they are possible in their country. Default false. */
        readonly acceptPossibleNumbers?: boolean | null | undefined
        /** Import a call task without its stopped numbers */
        readonly dropStoppedNumbers?: boolean | null | undefined
        /** Days after final feedback during which the customer cannot be imported */
        readonly feedbackQuarantineDays?: number | null | undefined
        /** Whether the external system must have a popup URL */
        readonly requiresPopup?: boolean | null | undefined
        /** Plain text that agents see beside a call. {name}, {externalCaseNumber}, {customer}, {number} and the names of properties of the call task in braces are filled in. */
        readonly script?: string | null | undefined
        /** How long an agent may look at an offered call task */
        readonly previewSeconds?: number | null | undefined
        /** Skips after which a call task waits for its interval */
        readonly previewSkipsMax?: number | null | undefined
        /** Minutes after a call in which its agent may still give feedback about it */
        readonly resultWindowMinutes?: number | null | undefined
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
      /** A part of the name; case and accents do not count */
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
  /** The three budgets of a campaign, day by day. */
  readonly 'GET /dialer/callcode/{callCode}/budgets': {
    readonly params: WithCallCodeIn
    readonly query?: WithDaysIn
    readonly answer: {
      /** Code of a campaign */
      readonly callCode: number
      /** Time zone of the days: that of the call windows or of the caller id, otherwise UTC. */
      readonly timeZone: string
      /** Sum of all days. */
      readonly total: {
        /** Calls that a person answered. An answered call counts as a person unless a machine was detected or reported. */
        readonly personsAnswered: number
        /** Answered calls that we ended without an agent (DROPPED): the budget of maxAbandonRate and ledgers. */
        readonly abandoned: number
        /** Calls that machine detection classified as a machine. How many of them were persons is unknown, because no agent talked to them. */
        readonly machineVerdicts: number
        /** Calls that were connected to an agent, who then reported a machine: the known errors of machine detection. They are not part of personsAnswered or machineVerdicts. */
        readonly correctedByAgents: number
        /** Calls that we cancelled before the phone had rung for the minimum of 15 s. */
        readonly ringsCutShort: number
      }
      /** Oldest first, today last; includes days without calls. */
      readonly days: readonly ({
        /** Date, such as 2026-12-24. */
        readonly date: string
        /** Calls that a person answered. An answered call counts as a person unless a machine was detected or reported. */
        readonly personsAnswered: number
        /** Answered calls that we ended without an agent (DROPPED): the budget of maxAbandonRate and ledgers. */
        readonly abandoned: number
        /** Calls that machine detection classified as a machine. How many of them were persons is unknown, because no agent talked to them. */
        readonly machineVerdicts: number
        /** Calls that were connected to an agent, who then reported a machine: the known errors of machine detection. They are not part of personsAnswered or machineVerdicts. */
        readonly correctedByAgents: number
        /** Calls that we cancelled before the phone had rung for the minimum of 15 s. */
        readonly ringsCutShort: number
      })[]
    }
  }
  /** Answer rate and complaint rate of each caller id of a campaign. */
  readonly 'GET /dialer/callcode/{callCode}/callerids': {
    readonly params: WithCallCodeIn
    readonly query?: WithDaysIn
    readonly answer: {
      /** Code of a campaign */
      readonly callCode: number
      /** The first day, such as 2026-12-24, in the time zone of the campaign. */
      readonly from: string
      /** Those of the settings first, also without calls; then former ones that calls have shown. */
      readonly callerIds: readonly ({
        /** The number that callees saw. */
        readonly callerId: string
        /** Finished calls that showed it, answered or not. */
        readonly calls: number
        /** Calls that a person answered, also those that we dropped; machines do not count. */
        readonly personsAnswered: number
        /** personsAnswered per call; null without calls. */
        readonly answerRate: number | null
        /** Calls about which an agent gave the order doNotCall, as long as the stop list contains its entry. A person who was on the list before counts for the earlier call. Complaints to other places are not known here. */
        readonly complaints: number
        /** complaints per call that a person answered; null without such calls. */
        readonly complaintRate: number | null
      })[]
    }
  }
  /** Why call tasks are not being dialed: each has one reason. */
  readonly 'GET /dialer/callcode/{callCode}/reasons': {
    readonly params: WithCallCodeIn
    readonly answer: {
      /** Code of a campaign */
      readonly callCode: number
      /** When it was counted. */
      readonly ts: string | null
      /** All call tasks: finished + underWay + notDialed. */
      readonly callTasks: number
      /** Nothing follows. */
      readonly finished: number
      /** Reserved for an agent, dialed, or in a call. */
      readonly underWay: number
      /** All others: the sum of the reasons. */
      readonly notDialed: number
      /** Each call task that is not being dialed has one reason. killSwitch, campaignInactive, notStarted: nothing is dialed. callback: its date has not come. notYet: its interval is not over. due: it waits for an agent, a line or the pace; the board says which. All others: the rule that put it off, as waitsFor of the call task. */
      readonly reasons: Readonly<Record<string, unknown>>
    }
  }
  /** What pausing or resuming the campaign would do. */
  readonly 'GET /dialer/callcode/{callCode}/effect': {
    readonly params: WithCallCodeIn
    readonly answer: {
      /** Code of a campaign */
      readonly callCode: number
      /** When it was counted. */
      readonly ts: string | null
      /** Whether the campaign is active now. */
      readonly active: boolean
      /** Phones that ring, or are about to: with active: false they ring out, and their answers are served. */
      readonly ringing: number
      /** Calls that were answered and go on, also with active: false. */
      readonly answered: number
      /** Call tasks that are not dialed while active is false. */
      readonly waiting: number
      /** Those of them that may be dialed at once when active becomes true, as agents and lines allow. */
      readonly due: number
    }
  }
  /** The outcomes that agents of a campaign choose from. */
  readonly 'GET /dialer/callcode/{callCode}/outcomes': {
    readonly params: WithCallCodeIn
    readonly query?: WithAllIn2
    readonly answer: readonly Outcome[]
  }
  /** Add an outcome to a campaign. */
  readonly 'POST /dialer/callcode/{callCode}/outcomes': {
    readonly params: WithCallCodeIn
    readonly body: OutcomeIn
    readonly answer: Outcome
  }
  /** Set the order of the active outcomes of a campaign. */
  readonly 'PUT /dialer/callcode/{callCode}/outcomes': {
    readonly params: WithCallCodeIn
    readonly body: WithOutcomeIdsIn
    readonly answer: readonly Outcome[]
  }
  /** Change, retire or bring back an outcome of a campaign. */
  readonly 'PATCH /dialer/callcode/{callCode}/outcomes/{outcomeId}': {
    readonly params: {
      /** The campaign */
      readonly callCode: number | string
      /** The outcome */
      readonly outcomeId: number | string
    }
    readonly body: OutcomeIn2
    readonly answer: Outcome
  }
  /** The outcomes that agents of a queue choose from. */
  readonly 'GET /rest/svcpbx/queue/{ucquId}/outcomes': {
    readonly params: CaseWithUcquIdIn
    readonly query?: WithAllIn2
    readonly answer: readonly Outcome[]
  }
  /** Add an outcome to a queue. */
  readonly 'POST /rest/svcpbx/queue/{ucquId}/outcomes': {
    readonly params: CaseWithUcquIdIn
    readonly body: OutcomeIn
    readonly answer: Outcome
  }
  /** Set the order of the active outcomes of a queue. */
  readonly 'PUT /rest/svcpbx/queue/{ucquId}/outcomes': {
    readonly params: CaseWithUcquIdIn
    readonly body: WithOutcomeIdsIn
    readonly answer: readonly Outcome[]
  }
  /** Change, retire or bring back an outcome of a queue. */
  readonly 'PATCH /rest/svcpbx/queue/{ucquId}/outcomes/{outcomeId}': {
    readonly params: {
      /** The queue */
      readonly ucquId: number | string
      /** The outcome */
      readonly outcomeId: number | string
    }
    readonly body: OutcomeIn2
    readonly answer: Outcome
  }
  /** Forecast of a day of a campaign. */
  readonly 'POST /dialer/callcode/{callCode}/forecast': {
    readonly params: WithCallCodeIn
    readonly body?: {
      /** Agents who work all day; default: the agents of the queue. */
      readonly agents?: number | undefined
      /** Length of a day; default: the call windows of today or of the next open day, at most 12. */
      readonly hours?: number | undefined
      /** Pacing; default: that of the campaign. */
      readonly pacing?: "price" | "risk" | "ratio" | "oneToOne" | undefined
      /** Abandoned calls of a day per answered call; default: the tightest ledger of the campaign. */
      readonly maxAbandonRate?: number | undefined
      /** Number of simulated days; default 20, or the largest number that is allowed. */
      readonly days?: number | undefined
      /** Seed of the simulation; default 1. */
      readonly seed?: number | undefined
    }
    readonly answer: {
      /** Code of a campaign */
      readonly callCode: number
      /** Agents who worked all day. */
      readonly agents: number
      /** Length of a day. */
      readonly hours: number
      /** Pacing that was simulated. */
      readonly pacing: "price" | "risk" | "ratio" | "oneToOne"
      /** The limit of abandoned calls. */
      readonly maxAbandonRate: number
      /** Number of simulated days. */
      readonly days: number
      /** Seed of the simulation; the same seed gives the same answer. */
      readonly seed: number
      /** Talk and wrap-up, in percent of the working time of all agents. */
      readonly occupancyPct: WithMeanLowHigh
      /** Abandoned calls, in percent of the calls that persons answered. */
      readonly abandonedPct: WithMeanLowHigh
      /** Conversations per day. */
      readonly conversations: WithMeanLowHigh
      /** Dialed lines per day. */
      readonly dials: WithMeanLowHigh
      /** Mean time that an agent waits for a call, in seconds. */
      readonly idleMeanS: number
      /** Time during which abandonment exceeded the limit, in percent of the day. */
      readonly timeAboveCapPct: number
      /** Open call tasks that are due today or on the next day with call windows. */
      readonly dueTasks: number
      /** Hours until each due call task was tried once; null if nothing is dialed. */
      readonly hoursForDueTasks: WithMeanLowHigh | null
      /** When each due call task was tried once: `hoursForDueTasks` from now on, as far as call windows are open. It follows the clock. null if nothing is dialed; an instant is null beyond 60 days with windows. */
      readonly finishTs: {
        /** By the mean of the hours */
        readonly mean: string | null
        /** By their lower bound */
        readonly low: string | null
        /** By their upper bound */
        readonly high: string | null
      } | null
      /** The basis of the forecast: the calls of this campaign so far. */
      readonly laws: {
        /** guess: fewer than 20 lines are known, so typical values of other campaigns are used. */
        readonly source: "learnt" | "guess"
        /** Lines with a known outcome; older lines have less weight. */
        readonly lines: number
        /** Share of lines that persons answer, over the hours of the day. */
        readonly hitRate: number
        /** Mean talk, in seconds. */
        readonly meanTalkS: number
        /** Mean wrap-up, in seconds. */
        readonly meanWrapUpS: number
      }
    }
  }
  /** Call finished call tasks again. */
  readonly 'POST /dialer/callcode/{callCode}/recycle': {
    readonly params: WithCallCodeIn
    readonly body: {
      /** Last results: 1 ANSWERED, 2 NO_ANSWER, 3 BUSY, 4 VOICEMAIL, 5 DROPPED, 6 LOST, 7 FAILED, 8 INVALID_NUMBER, 9 REJECTED, 10 CANCELLED, 11 BLOCKED, 12 UNKNOWN. */
      readonly results: readonly number[]
      /** Only call tasks that finished from then on. */
      readonly finishedFrom?: number | string | undefined
      /** Only call tasks that finished before. */
      readonly finishedTo?: number | string | undefined
      /** Of the new call tasks; default: as before. */
      readonly maxCallAttempts?: number | undefined
      /** Of the new call tasks; default: as before. */
      readonly minCallIntervalHours?: number | undefined
      /** Also persons who talked to an agent since the import. Default false. */
      readonly talked?: boolean | undefined
      /** Counts only, and creates nothing. */
      readonly dryRun?: boolean | undefined
    }
    readonly answer: {
      /** True: nothing is changed, the answer only counts */
      readonly dryRun: boolean
      /** Call tasks that were created, or would be. */
      readonly recycledCount: number
      /** By the last result. */
      readonly recycled: readonly ({
        /** Result code */
        readonly result: number
        /** Number of call tasks */
        readonly count: number
      })[]
      /** ENDED: by an integrator, a user or a stop, or an agent typed the number. EXPIRED: the validity is over. DUPLICATE: an open call task of the case exists. STOPPED: the person or every number is on a stop list. TALKED: the person talked to an agent. */
      readonly skipped: readonly ({
        /** Reason as text */
        readonly reason: "ENDED" | "EXPIRED" | "DUPLICATE" | "STOPPED" | "TALKED"
        /** Number of call tasks */
        readonly count: number
      })[]
    }
  }
  /** Search call tasks. */
  readonly 'POST /dialer/calltaskget': {
    readonly body?: {
      /** Case numbers in the external system. */
      readonly systemLookupCodes?: readonly string[] | undefined
      /** Customers of the external system. */
      readonly extCustIds?: readonly string[] | undefined
      /** Call tasks. */
      readonly itcaIds?: readonly number[] | undefined
      /** Campaigns: objects with a callCode, or numbers. */
      readonly callCodes?: readonly (CalltaskgetWithCallCodeIn | number)[] | undefined
      /** Status codes. */
      readonly statusList?: readonly number[] | undefined
      /** Whether a conversation took place. */
      readonly answeredList?: readonly boolean[] | undefined
      /** Whether it is finished. */
      readonly finishedList?: readonly boolean[] | undefined
      /** Telephone numbers, in any format. */
      readonly callNumbers?: readonly string[] | undefined
      /** Whether a callback is scheduled. */
      readonly hasCallBackDate?: boolean | undefined
      /** Corporations. Our addition, like all following filters. */
      readonly corporationIds?: readonly number[] | undefined
      /** Assigned users. */
      readonly assignedUserIds?: readonly number[] | undefined
      /** External systems. */
      readonly systemCodes?: readonly string[] | undefined
      /** Types of feedback that agents gave, and names of outcomes as they were then. */
      readonly feedbackTypeIds?: readonly string[] | undefined
      /** Outcomes that agents saved. */
      readonly outcomeIds?: readonly number[] | undefined
      /** Created at this instant or later. */
      readonly creationTsFrom?: number | string | undefined
      /** Created before this instant; the other ranges work the same way. */
      readonly creationTsTo?: number | string | undefined
      /** Last dialed at this instant or later. */
      readonly lastCallTsFrom?: number | string | undefined
      /** Last dialed before this instant. */
      readonly lastCallTsTo?: number | string | undefined
      /** Next attempt due at this instant or later. */
      readonly nextCallTsFrom?: number | string | undefined
      /** Next attempt due before this instant. */
      readonly nextCallTsTo?: number | string | undefined
      /** Callback at this instant or later. */
      readonly callBackTsFrom?: number | string | undefined
      /** Callback before this instant. */
      readonly callBackTsTo?: number | string | undefined
      /** The same fields in a nested object; both forms are accepted */
      readonly filter?: {
        /** Case numbers in the external system. */
        readonly systemLookupCodes?: readonly string[] | undefined
        /** Customers of the external system. */
        readonly extCustIds?: readonly string[] | undefined
        /** Call tasks. */
        readonly itcaIds?: readonly number[] | undefined
        /** Campaigns: objects with a callCode, or numbers. */
        readonly callCodes?: readonly (CalltaskgetWithCallCodeIn | number)[] | undefined
        /** Status codes. */
        readonly statusList?: readonly number[] | undefined
        /** Whether a conversation took place. */
        readonly answeredList?: readonly boolean[] | undefined
        /** Whether it is finished. */
        readonly finishedList?: readonly boolean[] | undefined
        /** Telephone numbers, in any format. */
        readonly callNumbers?: readonly string[] | undefined
        /** Whether a callback is scheduled. */
        readonly hasCallBackDate?: boolean | undefined
        /** Corporations. Our addition, like all following filters. */
        readonly corporationIds?: readonly number[] | undefined
        /** Assigned users. */
        readonly assignedUserIds?: readonly number[] | undefined
        /** External systems. */
        readonly systemCodes?: readonly string[] | undefined
        /** Types of feedback that agents gave, and names of outcomes as they were then. */
        readonly feedbackTypeIds?: readonly string[] | undefined
        /** Outcomes that agents saved. */
        readonly outcomeIds?: readonly number[] | undefined
        /** Created at this instant or later. */
        readonly creationTsFrom?: number | string | undefined
        /** Created before this instant; the other ranges work the same way. */
        readonly creationTsTo?: number | string | undefined
        /** Last dialed at this instant or later. */
        readonly lastCallTsFrom?: number | string | undefined
        /** Last dialed before this instant. */
        readonly lastCallTsTo?: number | string | undefined
        /** Next attempt due at this instant or later. */
        readonly nextCallTsFrom?: number | string | undefined
        /** Next attempt due before this instant. */
        readonly nextCallTsTo?: number | string | undefined
        /** Callback at this instant or later. */
        readonly callBackTsFrom?: number | string | undefined
        /** Callback before this instant. */
        readonly callBackTsTo?: number | string | undefined
      } | undefined
      /** Rows per page: default 50; 0 or less means 1000; maximum 50000 */
      readonly limit?: number | undefined
      /** Page number, starting at 1; default 1 */
      readonly pageNumber?: number | undefined
      /** `next` of the page before, with the same filters: rows that come or go since cause no gap. The first page: empty. Without it the answer has no `next` */
      readonly after?: string | undefined
      /** One of itcaId, callReceiverName, creationTs, updateTs, nextCallTs, lastCallTs, callBackTs, statusId, callAttemptCount; " desc" sorts in descending order. */
      readonly sort?: string | undefined
      /** Returns each call task in full. */
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
      /** To be sent as `after`; null: the end */
      readonly next?: string | null
    }
  }
  /** End a call task. */
  readonly 'PUT /v1/calltasks/{itcaId}/end': {
    readonly params: WithItcaIdIn
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
      /** False if the call task, and all that follow it, were already finished. */
      readonly changed: boolean
      /** The itcaIds of call tasks that followed this one, such as promised callbacks, and are ended with it. */
      readonly endedFollowers: readonly number[]
      /** The eactId of a conversation that continues; null if there is none. */
      readonly activeCall: number | null
    }
  }
  /** Change a call task. */
  readonly 'PATCH /dialer/calltask/{itcaId}': {
    readonly params: WithItcaIdIn
    readonly body: {
      /** Maximum number of unanswered attempts */
      readonly maxCallAttempts?: number | undefined
      /** Minimum hours between two attempts */
      readonly minCallIntervalHours?: number | undefined
      /** Numbers to dial, in order */
      readonly callNumberList?: readonly string[] | undefined
      /** The priority */
      readonly priority?: number | undefined
      /** From this instant on the call task is dialed */
      readonly validFrom?: number | string | null | undefined
      /** From this instant on the call task is not dialed any more */
      readonly validTo?: number | string | null | undefined
    }
    readonly answer: {
      /** Id of a call task */
      readonly itcaId: number
      /** A call to it is up: that call goes on, and the change concerns the next one. */
      readonly inCall: boolean
    }
  }
  /** Promised callbacks. */
  readonly 'GET /dialer/callbacks': {
    readonly query?: {
      /** Only those of this campaign */
      readonly callCode?: number | string | undefined
      /** Only those of this agent. */
      readonly userName?: string | undefined
      /** Default: all. */
      readonly state?: "all" | "due" | "overdue" | undefined
      /** Rows per page: default 50; 0 or less means 1000; maximum 50000 */
      readonly limit?: number | undefined
      /** Page number, starting at 1; default 1 */
      readonly pageNumber?: number | undefined
    }
    readonly answer: {
      /** The promised callbacks */
      readonly callbacks: readonly ({
        /** The call task that is called back. */
        readonly itcaId: number
        /** The finished call task that it goes on from. */
        readonly follows: WithItcaId | null
        /** The campaign of the callback */
        readonly campaign: CalltaskgetWithCallCodeIn
        /** The corporation that owns the record */
        readonly corporation: WithCorpId
        /** Name of the callee */
        readonly callReceiverName: string
        /** The date that was promised. */
        readonly callBackTs: string | null
        /** When it was promised; null for older ones. */
        readonly promisedTs: string | null
        /** The earliest instant of the call. */
        readonly nextCallTs: string | null
        /** The agent for whom it is kept; null: the team. */
        readonly userName: string | null
        /** The number that was talked on; null: the next of the call task. */
        readonly number: string | null
        /** True: the contact asked for the callback */
        readonly askedByContact: boolean
        /** Whether it was promised for more than 5 minutes ago. */
        readonly overdue: boolean
        /** Why it is not called yet: its date has not come; it is being called; an agent looks at it; the call reached nobody and is repeated; a rule such as the calling hours puts it off to nextCallTs; it waits for an agent. */
        readonly why: "notDue" | "calling" | "offered" | "notReached" | "putOff" | "waits"
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
  /** Move or reassign a callback. */
  readonly 'PUT /dialer/callbacks/{itcaId}': {
    readonly params: WithItcaIdIn2
    readonly body: {
      /** The new date; not in the past */
      readonly callBackTs?: number | string | undefined
      /** The agent for whom it is kept from now on; null: the team. */
      readonly userName?: string | null | undefined
    }
    readonly answer: WithItcaId
  }
  /** Cancel a callback. */
  readonly 'DELETE /dialer/callbacks/{itcaId}': {
    readonly params: WithItcaIdIn2
    readonly answer: WithItcaId
  }
  /** Search call attempts. */
  readonly 'POST /svcdialer/calltaskcallattempts/search': {
    readonly body: {
      /** Attempts. */
      readonly iccaIds?: readonly (number | string)[] | undefined
      /** One attempt; added to iccaIds if both are given. */
      readonly iccaId?: number | string | undefined
      /** All attempts of these call tasks. */
      readonly itcaIds?: readonly (number | string)[] | undefined
      /** The attempts of these call activities. */
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
      /** phoneCallId; unknown ids are ignored. */
      readonly eactIds: readonly (string | number)[]
    }
    readonly answer: readonly Call[]
  }
  /** List calls, newest first. */
  readonly 'GET /svcems/calls': {
    readonly query?: {
      /** Calls that began at this time or later */
      readonly sinceTs?: number | string | undefined
      /** Calls that began before this time */
      readonly untilTs?: number | string | undefined
      /** The agent who talked */
      readonly userId?: number | string | undefined
      /** The queue (team) */
      readonly ucquId?: number | string | undefined
      /** The campaign */
      readonly callCode?: number | string | undefined
      /** A telephone number, of the other side or ours, such as +4526000001 (%2B4526000001 in a URL). Without + it is read as one of each country of your caller ids as well. */
      readonly number?: string | undefined
      /** 1 in, 2 out */
      readonly direction?: number | undefined
      /** Results of attempts, as in the answer; 10 means both kinds of cancelled ones. */
      readonly results?: readonly number[] | undefined
      /** What an agent said about the call */
      readonly feedbackType?: string | undefined
      /** Whether it has a recording that can be played */
      readonly recorded?: boolean | undefined
      /** Whether its caller was transferred */
      readonly transferred?: boolean | undefined
      /** Conversations of this length or longer */
      readonly minTalkSeconds?: number | undefined
      /** Conversations of this length or shorter */
      readonly maxTalkSeconds?: number | undefined
      /** `next` of the page before */
      readonly after?: string | undefined
      /** Calls a page; default 50. Agents get 100 at most. */
      readonly limit?: number | undefined
    }
    readonly answer: {
      /** Maximum number of calls */
      readonly calls: readonly Call[]
      /** Null: these were the last ones. */
      readonly next: string | null
      /** Whether older calls match too. */
      readonly more: boolean
    }
  }
  /** One call: its legs, why it was dialed, where it went, and what happened. */
  readonly 'GET /svcems/calls/{eactId}': {
    readonly params: WithEactIdIn
    readonly answer: {
      /** The call, as the list has it. */
      readonly call: Call
      /** Why it was dialed; null if it belongs to no call task. */
      readonly dialed: {
        /** The name of the campaign. */
        readonly campaignName: string
        /** Of its call task, from 1. */
        readonly attemptNo: number
        /** When it was decided to dial. */
        readonly claimTs: string | null
        /** When it was dialed. */
        readonly dialTs: string | null
        /** The trunk. */
        readonly trunk: string | null
        /** Name and version of the dialing rules that permitted it. */
        readonly rules: string | null
        /** Why the pacer placed so many lines then: oneToOne, ratio, risk… */
        readonly reason: string | null
        /** The same as a sentence. */
        readonly reasonText: string | null
        /** The agent for whom it was placed, where it was for one. */
        readonly madeFor: string | null
      } | null
      /** The node that served it, and has its journal and its recordings; null: not known. */
      readonly servedBy: {
        /** Its NODE_NAME. */
        readonly node: string
        /** Whether it is the node that answers. */
        readonly thisNode: boolean
        /** Where it is reached; null while it is not up. */
        readonly endpoint: string | null
      } | null
      /** Where it went; null without a flow, and where the ladder has no rows. */
      readonly flow: {
        /** Display name */
        readonly name: string
        /** The revision of the flow that took the call. */
        readonly revision: string
        /** How the flow ended; null if that was not recorded. */
        readonly outcome: string | null
        /** The steps, in order. */
        readonly path: readonly string[]
        /** Marks that steps set. */
        readonly marks: readonly string[]
      } | null
      /** The other side, then the phones of agents, then transfers. */
      readonly legs: readonly ({
        /** caller, callee, agent, transfer */
        readonly kind: string
        /** The number, or the user name of the agent. */
        readonly who: string
        /** When it began. */
        readonly creationTs: string | null
        /** When it rang. */
        readonly ringTs: string | null
        /** When it was answered. */
        readonly startTs: string | null
        /** When it ended. */
        readonly endTs: string | null
        /** How it ended, where that is known: hungUp, busy, noAnswer… */
        readonly end: string | null
      })[]
      /** What happened, from the journal of the node that answers. */
      readonly ladder: {
        /** here, notAllowed, erased, notHere; only here has rows. */
        readonly state: string
        /** Why there are no rows. */
        readonly note: string | null
        /** Whether later rows are left out. */
        readonly cut: boolean
        /** In order. */
        readonly rows: readonly ({
          /** When. */
          readonly ts: string | null
          /** caller (the other side), engine, agent */
          readonly lane: string
          /** in: a fact that came in; out: a command that went out; none */
          readonly way: string
          /** Plain text; show it as text and never as HTML. */
          readonly text: string
        })[]
      }
      /** How badly agents heard it whose phone is a browser; [] if nobody did. */
      readonly sound: readonly ({
        /** The agent in whose browser it was heard. */
        readonly userName: string
        /** The most packets of 10 s that were lost, in percent. */
        readonly lossPercent: number | null
        /** The longest round trip, as an average of 10 s. */
        readonly roundTripMs: number | null
        /** Whether nothing came from the other side for a time. */
        readonly silentIn: boolean
        /** Whether nothing came from the agent for a time. */
        readonly silentOut: boolean
        /** The first report. */
        readonly firstTs: string | null
        /** The last report. */
        readonly lastTs: string | null
      })[]
    }
  }
  /** The waveform of a recording. */
  readonly 'GET /rest/core/corefile/peaks': {
    readonly query: {
      /** The file of a recording */
      readonly cfreId: number | string
      /** Stretches of each channel; default 1000 */
      readonly points?: number | undefined
    }
    readonly answer: {
      /** Length of the recording. */
      readonly durationMs: number
      /** Of two, the first is the other side of the call, the second the agent or flow. */
      readonly channels: readonly ({
        /** The lowest sample of each stretch, -128 to 0. */
        readonly min: readonly number[]
        /** The highest sample of each stretch, 0 to 127. */
        readonly max: readonly number[]
      })[]
    }
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
        /** When it was added. */
        readonly creationTs: string | null
        /** Id of the call */
        readonly callId: string | null
        /** The call activity in which the person said it. */
        readonly eactId: number | null
      })[]
      /** Number of matching rows on all pages */
      readonly foundRows: number
      /** Number of the first row on the page, starting at 1; 0 for an empty page */
      readonly firstRow: number
      /** Number of the last row on the page, starting at 1; 0 for an empty page */
      readonly lastRow: number
      /** Number of pages */
      readonly pageCount: number
      /** To be sent as `after`; null: the end */
      readonly next?: string | null
    }
  }
  /** Put numbers on the stop list. */
  readonly 'POST /dialer/stoplist/numbers': {
    readonly body: {
      /** Telephone numbers in any format; a number without + belongs to the countries of the campaigns. */
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
      /** Telephone numbers in any format; a number without + belongs to the countries of the campaigns. */
      readonly numbers: readonly string[]
      /** Default: the first corporation of the credential */
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
        /** When it was added. */
        readonly creationTs: string | null
        /** Id of the call */
        readonly callId: string | null
        /** The call activity in which the person said it. */
        readonly eactId: number | null
      })[]
      /** Number of matching rows on all pages */
      readonly foundRows: number
      /** Number of the first row on the page, starting at 1; 0 for an empty page */
      readonly firstRow: number
      /** Number of the last row on the page, starting at 1; 0 for an empty page */
      readonly lastRow: number
      /** Number of pages */
      readonly pageCount: number
      /** To be sent as `after`; null: the end */
      readonly next?: string | null
    }
  }
  /** Put customers of external systems on the stop list. */
  readonly 'POST /dialer/stoplist/persons': {
    readonly body: {
      /** Customers of external systems */
      readonly persons: readonly ({
        /** The external system of the customer. */
        readonly systemCode: string
        /** The customer in the external system. */
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
      /** The external system of the customer. */
      readonly systemCode: string
      /** The customer in the external system. */
      readonly extCustId: string
      /** Default: the first corporation of the credential */
      readonly corpId?: number | string | undefined
    }
    readonly answer: WithCount2
  }
  /** Whether all dialing is stopped. */
  readonly 'GET /dialer/killswitch': {
    readonly answer: Killswitch
  }
  /** Stop all dialing, or resume it. */
  readonly 'PUT /dialer/killswitch': {
    readonly body: {
      /** Whether the switch is on */
      readonly on: boolean
      /** The confirmation word from the first answer */
      readonly confirm?: string | undefined
    }
    readonly answer: Killswitch
  }
  /** The current pacing of the campaigns. */
  readonly 'GET /dialer/board': {
    readonly answer: {
      /** The campaigns that dial now. */
      readonly campaigns: readonly ({
        /** Code of a campaign */
        readonly callCode: number
        /** When the engine published it. */
        readonly ts: string | null
        /** Display name */
        readonly name: string
        /** When the feature applies */
        readonly mode: string
        /** `price`, `risk`, `ratio`, `oneToOne`, `power` or `manual`. */
        readonly pace: string
        /** The current state. */
        readonly live: {
          /** Agents at work in the campaign. */
          readonly agents: number
          /** Agents who wait for a call. */
          readonly idleAgents: number
          /** Lines that were dialed and not answered yet. */
          readonly inFlight: number
          /** Callees who answered and wait for an agent. */
          readonly waiting: number
        }
        /** The last decision of the pacer and its reason. */
        readonly placing: {
          /** Lines to place. */
          readonly lines: number
          /** The reason of the pacer, in one word. Of the trunk: `trunkFull` (its lines), `paced` (its calls in a second), `noTrunk` (the configuration has none), `carrierFailing`. */
          readonly why: string
          /** The figures of the decision, by name. */
          readonly weighed?: Readonly<Record<string, unknown>>
        }
        /** Why the last refused call task was not dialed. */
        readonly refused: string | null
        /** The first trunk of the campaign fails: its calls end before any phone rings; null while it works. */
        readonly carrierFailing?: {
          /** The name of the trunk */
          readonly trunk: string
          /** Since when, in milliseconds since the epoch */
          readonly sinceAtMs: number
        } | null
        /** Promised callbacks that wait to be called. */
        readonly callbacks: {
          /** Their date has come. */
          readonly due: number
          /** Those that are late by 5 minutes or more. */
          readonly overdue: number
        }
        /** Allowed and actual abandonment. */
        readonly ledgers: readonly ({
          /** Display name */
          readonly name: string
          /** Abandoned calls for each 10,000 answered ones. */
          readonly capBasisPoints: number
          /** Calls answered by persons. */
          readonly answered: number
          /** Answered calls for which no agent was available. */
          readonly abandoned: number
          /** Calls that would find no agent if all callees answered now. */
          readonly atRisk: number
          /** Calls that may be abandoned, given the answered ones. */
          readonly allowed: number
        })[]
        /** Lines placed in the last 24 hours, by reason of the pacer. */
        readonly placed: Readonly<Record<string, unknown>>
        /** How often the pacer stopped placing lines, by reason. */
        readonly held: Readonly<Record<string, unknown>>
        /** Call tasks refused by a rule, by rule. */
        readonly refusals: Readonly<Record<string, unknown>>
        /** Figures learned from the calls of the campaign. */
        readonly learnt: {
          /** Share of lines that a person answers. */
          readonly hitRate: number
          /** Seconds until a person answers. */
          readonly answerS: number
          /** Seconds of a conversation. */
          readonly talkS: number
          /** Seconds of wrap-up. */
          readonly wrapUpS: number
          /** Lines and conversations that the figures are based on. */
          readonly known: number
          /** For each hour of the day, UTC. Older days fade. `retryPartOfDay` reads them. */
          readonly hours: readonly ({
            /** Lines that ended. */
            readonly lines: number
            /** Lines that a person answered. */
            readonly answers: number
          })[]
        }
        /** Errors of machine detection in the last 30 days, by the words of the agents; null if it is off. */
        readonly detection: {
          /** By the pauses of whoever answered. */
          readonly pauses: Pauses
          /** By greetings that agents called machines on calls to three numbers. */
          readonly greeting: Pauses
          /** Greetings that are known to be those of machines. */
          readonly greetingsKnown: number
          /** Greetings that agents called machines, known or not yet. */
          readonly greetings: number
        } | null
        /** Share of agents and trunk lines beside other campaigns that use the same ones. */
        readonly weight: number
        /** The service goal for callers; null if there is none. */
        readonly service: {
          /** Share of callers who should get an agent in time. */
          readonly percent: number
          /** The time that counts as in time. */
          readonly withinSeconds: number
          /** The latest callers of the same agents, at most 200. */
          readonly callers: number
          /** Those of them who got an agent in time. */
          readonly inTime: number
          /** Agents who are kept back for callers now. */
          readonly keptBack: number
        } | null
        /** No call task is due: until when; null while some are. */
        readonly nothingDue: {
          /** Next date of a waiting call task; null: none waits. */
          readonly untilTs: string | null
        } | null
        /** A second pacer that decides without dialing; null if there is none. */
        readonly shadow: {
          /** Pacing of the shadow pacer. */
          readonly pace: string
          /** Lines that the shadow pacer would place now. */
          readonly lines: number
          /** Comparison by hour. */
          readonly hours: readonly ({
            /** Start of the hour. */
            readonly fromTs: string | null
            /** Lines that were placed. */
            readonly placed: number
            /** Further lines that the shadow pacer would have placed. */
            readonly more: number
            /** Placed lines that the shadow pacer would not have placed. */
            readonly less: number
          })[]
        } | null
        /** Orders of supervisors. */
        readonly orders: {
          /** The campaign is not active; its last phones ring out. */
          readonly draining: boolean
          /** From then on nothing is dialed. */
          readonly endsTs: string | null
          /** A lower pace for some time */
          readonly slowDown: {
            /** Maximum lines for each agent. */
            readonly linesPerAgentMax: number | null
            /** At most one line for each idle agent. */
            readonly oneToOne: boolean
            /** End of the lower pace. */
            readonly untilTs: string | null
          } | null
        }
      })[]
    }
  }
  /** Tell waiting callers that something happened. */
  readonly 'POST /svcpbx/flowevents': {
    readonly body: {
      /** What happened; the `event` of the wait step. */
      readonly name: string
      /** Whom it is about; the `key` of the wait step. 1 to 100 characters without spaces. */
      readonly key: string
      /** What the flow gets as the result of the step: at most 4000 characters of JSON. */
      readonly data?: Readonly<Record<string, unknown>> | undefined
      /** The corporation that owns the record */
      readonly corporation?: ExternalsystemWithCorpIdIn | undefined
    }
    readonly answer: {
      /** The event. A repeated one has the id of the first. */
      readonly flowEventId: number
      /** Whether the same name, key and data were kept already. */
      readonly repeated: boolean
      /** Calls that wait for it now; 0: it is kept for a call that will wait. */
      readonly waitingCalls: number
      /** When it was first posted. */
      readonly creationTs: string | null
      /** A call that begins to wait before then still gets it. */
      readonly keptUntilTs: string | null
    }
  }
  /** Flows and their live revisions. */
  readonly 'GET /rest/svcpbx/flows': {
    readonly answer: {
      /** By name. */
      readonly flows: readonly ({
        /** The name of the flow. */
        readonly flow: string
        /** The first 12 digits of the SHA-256 of the text. */
        readonly revision: string
        /** How it became the live one: a file changed, somebody published it, or went back to it. */
        readonly way: "file" | "publish" | "rollback"
        /** Who made it: a user, a credential, or a file and its node. */
        readonly author: string
        /** Why. */
        readonly note: string | null
        /** When it became the live one. */
        readonly publishedTs: string | null
        /** Whether new calls of this node take it. */
        readonly takenHere: boolean
        /** The revision on trial; null without one. */
        readonly canary: {
          /** The first 12 digits of the SHA-256 of the text. */
          readonly revision: string
          /** Share of the new calls that take it, in percent. */
          readonly percent: number
          /** Who made it: a user, a credential, or a file and its node. */
          readonly author: string
          /** Why. */
          readonly note: string | null
          /** Since when. */
          readonly begunTs: string | null
          /** Whether calls of this node are drawn for it. */
          readonly takenHere: boolean
        } | null
      })[]
      /** Errors of flow files and of live revisions on this node, as file:line:column. The last good revision of each flow goes on. */
      readonly problems: readonly string[]
    }
  }
  /** The revisions of a flow, the live one first, then those that were live last. */
  readonly 'GET /rest/svcpbx/flows/{flow}/revisions': {
    readonly params: WithFlowIn
    readonly answer: readonly ({
      /** The name of the flow. */
      readonly flow: string
      /** The first 12 digits of the SHA-256 of the text. */
      readonly revision: string
      /** Whether new calls take it. */
      readonly live: boolean
      /** Who made it: a user, a credential, or a file and its node. */
      readonly author: string
      /** Why. */
      readonly note: string | null
      /** When it was published first, by `author` with `note`. */
      readonly creationTs: string | null
      /** As for live revisions; null: it was on trial only. */
      readonly way: "file" | "publish" | "rollback" | null
      /** When it became the live one, the last time; null: it was on trial only. */
      readonly publishedTs: string | null
      /** Who made it the live one, the last time. */
      readonly lastAuthor: string | null
      /** Why, the last time. */
      readonly lastNote: string | null
    })[]
  }
  /** The text of a revision. */
  readonly 'GET /rest/svcpbx/flows/{flow}/revisions/{revision}': {
    readonly params: {
      /** The name of the flow, as its text says it. */
      readonly flow: string
      /** The revision, as the list gives it. */
      readonly revision: string
    }
    readonly answer: {
      /** The name of the flow. */
      readonly flow: string
      /** The first 12 digits of the SHA-256 of the text. */
      readonly revision: string
      /** Who made it: a user, a credential, or a file and its node. */
      readonly author: string
      /** Why. */
      readonly note: string | null
      /** When it was published first. */
      readonly creationTs: string | null
      /** The YAML. */
      readonly text: string
    }
  }
  /** The draft of a flow. */
  readonly 'GET /rest/svcpbx/flows/{flow}/draft': {
    readonly params: WithFlowIn
    readonly answer: Draft
  }
  /** Save the draft of a flow. */
  readonly 'PUT /rest/svcpbx/flows/{flow}/draft': {
    readonly params: WithFlowIn
    readonly body: {
      /** The YAML of the flow. */
      readonly text: string
      /** Why, for whoever reads the list. */
      readonly note?: string | undefined
    }
    readonly answer: Draft
  }
  /** Throw the draft of a flow away. */
  readonly 'DELETE /rest/svcpbx/flows/{flow}/draft': {
    readonly params: WithFlowIn
    readonly answer: {
      /** The name of the flow. */
      readonly flow: string
    }
  }
  /** Check the text of a flow. */
  readonly 'POST /rest/svcpbx/flows/check': {
    readonly body: {
      /** The YAML of the flow. */
      readonly text: string
      /** A revision: `changes` says what callers would notice. */
      readonly comparedTo?: string | undefined
    }
    readonly answer: {
      /** Whether it may be published. */
      readonly ok: boolean
      /** Its name; null with an error. */
      readonly flow: string | null
      /** Its revision; null with an error. */
      readonly revision: string | null
      /** Errors and warnings, in the order of the text. */
      readonly problems: readonly ({
        /** From 1, as editors count. */
        readonly line: number
        /** From 1, as editors count. */
        readonly column: number
        /** A text with an error cannot be published. */
        readonly severity: "error" | "warn"
        /** What is wrong, and what to do. */
        readonly message: string
      })[]
      /** Differences to `comparedTo`, in the order of the new text; null without it, or with an error. */
      readonly changes: readonly ({
        /** The step; null for the flow itself. */
        readonly step: string | null
        /** What became of it. */
        readonly what: "new" | "gone" | "changed" | "renamed"
        /** Of a renamed step. */
        readonly oldName: string | null
        /** What callers would notice, in the sentences of `flow describe`. */
        readonly changes: readonly ({
          /** What holds until then. */
          readonly before: string | null
          /** What holds from then on. */
          readonly after: string | null
        })[]
      })[] | null
    }
  }
  /** Play the tests of a flow on virtual time. */
  readonly 'POST /rest/svcpbx/flows/test': {
    readonly body: {
      /** The YAML of the flow. */
      readonly text: string
      /** The YAML of its tests, as in FLOW.test.yaml. */
      readonly tests: string
    }
    readonly answer: {
      /** Whether every test and every property holds. */
      readonly passed: boolean
      /** Errors of the texts; with one of them nothing is run. */
      readonly problems: readonly ({
        /** Which of the two texts is wrong. */
        readonly in: "text" | "tests"
        /** From 1, as editors count. */
        readonly line: number
        /** From 1, as editors count. */
        readonly column: number
        /** A text with an error cannot be published. */
        readonly severity: "error" | "warn"
        /** What is wrong, and what to do. */
        readonly message: string
      })[]
      /** Each test, in the order of its text. */
      readonly tests: readonly ({
        /** The name of the test. */
        readonly name: string
        /** Whether the call went as the test says. */
        readonly passed: boolean
        /** Of the test, or of what failed in it. */
        readonly line: number
        /** From 1, as editors count. */
        readonly column: number
        /** What happened instead; null if it passed. */
        readonly message: string | null
      })[]
      /** Of what must hold for every flow, without a test. */
      readonly faults: readonly ({
        /** Which hang-up, crash or random caller. */
        readonly where: string
        /** What does not hold. */
        readonly message: string
      })[]
      /** Share of steps and branches that a test went through; null if nothing was run. */
      readonly coveredPercent: number | null
      /** Steps and branches that no test went through. */
      readonly untested: readonly ({
        /** A step, or a branch of one. */
        readonly what: string
        /** In the text of the flow. */
        readonly line: number
      })[]
    }
  }
  /** Publish a revision of a flow. */
  readonly 'POST /rest/svcpbx/flows/{flow}/publish': {
    readonly params: WithFlowIn
    readonly body: {
      /** The YAML of the flow. Default: its draft, which is then thrown away. */
      readonly text?: string | undefined
      /** Why, for whoever reads the list. */
      readonly note?: string | undefined
      /** Puts the revision on trial instead: a share of the new calls takes it, until it is promoted or withdrawn. It is withdrawn by itself when its callers hang up, say nothing or fail at a step more often than others. */
      readonly canary?: {
        /** Share of the new calls that take it. */
        readonly percent: number
      } | undefined
      /** The revision that the author has seen; if another one is live by now, the answer is 409. */
      readonly replaces?: string | undefined
    }
    readonly answer: Publish
  }
  /** Go back to an earlier revision of a flow. */
  readonly 'POST /rest/svcpbx/flows/{flow}/rollback': {
    readonly params: WithFlowIn
    readonly body?: {
      /** Default: the newest one that is older than the live one. */
      readonly revision?: string | undefined
      /** Why, for whoever reads the list. */
      readonly note?: string | undefined
    }
    readonly answer: Publish
  }
  /** Revisions of a flow that were on trial, the newest first. */
  readonly 'GET /rest/svcpbx/flows/{flow}/canaries': {
    readonly params: WithFlowIn
    readonly answer: readonly ({
      /** The name of the flow. */
      readonly flow: string
      /** The first 12 digits of the SHA-256 of the text. */
      readonly revision: string
      /** The revision that was live, with which it is compared. */
      readonly against: string
      /** Share of the new calls that take it, in percent. */
      readonly percent: number
      /** Who made it: a user, a credential, or a file and its node. */
      readonly author: string
      /** Why. */
      readonly note: string | null
      /** Since when a share of the new calls takes it. */
      readonly begunTs: string | null
      /** What became of it: it is live for all calls, somebody withdrew it, it was withdrawn by itself, or another publication took its place. Null while it runs. */
      readonly ended: "promoted" | "withdrawn" | "returned" | "replaced" | null
      /** Who ended it; `switchboard` if it was returned. */
      readonly endedBy: string | null
      /** Why, in the words of whoever ended it. */
      readonly endedNote: string | null
      /** When it ended. */
      readonly endedTs: string | null
      /** Why it was returned; null otherwise. */
      readonly fault: {
        /** The step; null: the whole call. */
        readonly step: string | null
        /** What callers did more often, or what happened to them. */
        readonly risk: "hangup" | "noInput" | "failed"
        /** Of the revision on trial. */
        readonly onTrial: OnTrial
        /** Of the live one in the same time. */
        readonly live: OnTrial
      } | null
    })[]
  }
  /** Publish the revision on trial for all calls. */
  readonly 'POST /rest/svcpbx/flows/{flow}/promote': {
    readonly params: WithFlowIn
    readonly body?: PromoteIn
    readonly answer: Publish
  }
  /** Withdraw the revision on trial. */
  readonly 'POST /rest/svcpbx/flows/{flow}/withdraw': {
    readonly params: WithFlowIn
    readonly body?: PromoteIn
    readonly answer: {
      /** The name of the flow, as its text says it. */
      readonly flow: string
      /** The first 12 digits of the SHA-256 of the text. */
      readonly revision: string
    }
  }
  /** How calls went through a flow, by revision and step. */
  readonly 'GET /rest/svcpbx/flows/{flow}/traffic': {
    readonly params: WithFlowIn
    readonly query?: {
      /** The first hour is the one of this instant. Default: a day before `to`. */
      readonly from?: number | string | undefined
      /** The last hour is the one of this instant. Default: now. */
      readonly to?: number | string | undefined
      /** Only this one. */
      readonly revision?: string | undefined
    }
    readonly answer: {
      /** The name of the flow, as its text says it. */
      readonly flow: string
      /** The beginning of the first hour that counts. */
      readonly fromTs: string | null
      /** The end of the last hour that counts. */
      readonly toTs: string | null
      /** Of each revision that had calls. */
      readonly revisions: readonly ({
        /** The first 12 digits of the SHA-256 of the text. */
        readonly revision: string
        /** Calls that ended in this time. */
        readonly calls: number
        /** By name. */
        readonly outcomes: readonly ({
          /** How they are counted. */
          readonly outcome: string
          /** Calls in which it happened. */
          readonly calls: number
        })[]
        /** By name. */
        readonly marks: readonly ({
          /** The mark of a step. */
          readonly mark: string
          /** Calls in which it happened. */
          readonly calls: number
        })[]
        /** By name. `a.b` is a step of the subflow `a`. */
        readonly steps: readonly ({
          /** The step. */
          readonly step: string
          /** Calls in which it happened. */
          readonly calls: number
          /** How often altogether: a call may come to a step several times. */
          readonly visits: number
          /** How visits ended, by name. */
          readonly ends: readonly ({
            /** `hangup`: the caller hung up in it. Otherwise `done`, a key, a case, or a failure by name. */
            readonly end: string
            /** Calls in which it happened. */
            readonly calls: number
            /** How often altogether: a call may come to a step several times. */
            readonly visits: number
          })[]
        })[]
      })[]
    }
  }
  /** Call a flow by hand, on virtual time. */
  readonly 'POST /rest/svcpbx/flows/simulate': {
    readonly body: {
      /** The YAML of the flow. */
      readonly text: string
      /** The world of the call, as `given` of a test: caller, time, answers of other systems … */
      readonly given?: Readonly<Record<string, unknown>> | undefined
      /** What the caller does, in order, as `call` of a test: {"press": "1"}, {"hear": "…"}, {"wait": "30s"}, {"agent": "answers"}, {"event": {…}}, "hangup" … Keys cut a prompt off unless `hear` stands before them. Empty: the call up to where the caller may act. */
      readonly actions: readonly unknown[]
    }
    readonly answer: {
      /** Errors, and then there was no call; or warnings of the text. */
      readonly problems: readonly ({
        /** Which part of the order is wrong. */
        readonly in: "text" | "given" | "actions"
        /** In the text, from 1; null elsewhere. */
        readonly line: number | null
        /** In the text, from 1; null elsewhere. */
        readonly column: number | null
        /** Which of the actions, from 0; null elsewhere. */
        readonly action: number | null
        /** A text with an error cannot be published. */
        readonly severity: "error" | "warn"
        /** What is wrong, and what to do. */
        readonly message: string
      })[]
      /** The call; null with an error. */
      readonly call: {
        /** The name of the flow. */
        readonly flow: string
        /** The first 12 digits of the SHA-256 of the text. */
        readonly revision: string
        /** Prompts, the first one first. */
        readonly heard: readonly ({
          /** Milliseconds of virtual time since the call began. */
          readonly afterMs: number
          /** The prompt. */
          readonly words: string
          /** Whether the caller did not hear it to its end. */
          readonly cutOff: boolean
        })[]
        /** The journal of the call, at most 5,000 lines. Typed secrets are masked. */
        readonly trace: readonly ({
          /** Milliseconds of virtual time since the call began. */
          readonly afterMs: number
          /** What came in, what went out, and why. */
          readonly kind: "fact" | "command" | "note"
          /** The line of the journal; `type` says which. */
          readonly what: Readonly<Record<string, unknown>>
        })[]
        /** Whether the call has ended. */
        readonly isOver: boolean
        /** The step that the call is in, or ended in. */
        readonly step: string | null
        /** The request that nobody answers, such as `GET /CaseInfo/1`: the call stands there. Put it into `given.http`. */
        readonly unanswered: string | null
        /** The first action that was not possible; those after it were not tried. */
        readonly notDone: {
          /** Which of the actions, from 0. */
          readonly action: number
          /** Why it was not possible, or not so. */
          readonly why: string
        } | null
        /** Of a call that is over. */
        readonly record: {
          /** How the call is counted. */
          readonly outcome: string
          /** All steps, in order. */
          readonly path: readonly string[]
          /** All marks. */
          readonly marks: readonly string[]
          /** Fields of the record of the call. */
          readonly activity: Readonly<Record<string, unknown>>
        } | null
      } | null
    }
  }
  /** Report the delivery of a text message. */
  readonly 'POST /rest/svcpbx/smsreports': {
    readonly query: {
      /** Which message it is. */
      readonly visit: string
    }
    readonly body: Readonly<Record<string, unknown>>
    readonly answer: undefined
  }
  /** Look up the summaries of calls. */
  readonly 'POST /rest/svcems/activity-summary/search': {
    readonly body: {
      /** Calls without a summary are left out. */
      readonly activities: readonly ({
        /** A call activity: the phoneCallId of an event */
        readonly eactId: number | string
      })[]
    }
    readonly answer: readonly ActivitySummary[]
  }
  /** Write or correct the summary of a call. */
  readonly 'PUT /rest/svcems/activity-summary/{eactId}': {
    readonly params: WithEactIdIn
    readonly body: {
      /** The new text, as plain text; it must not be blank. */
      readonly text: string
      /** The version that was read; 0 if the call has no text yet. If-Match may name it instead. */
      readonly version?: number | undefined
    }
    readonly answer: ActivitySummary
  }
  /** Look up the transcripts of recordings. */
  readonly 'POST /rest/core/transcript/search': {
    readonly body: {
      /** Recordings without a transcript are left out. */
      readonly referenceIds: readonly (number | string)[]
      /** 21001 (default): phone call recordings; other tables have no transcripts. */
      readonly referenceTables?: readonly ({
        /** Id */
        readonly id: number
      })[] | undefined
      /** With the parts: who said what, and when. Default false. */
      readonly getParts?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of a transcript */
      readonly transcriptId: number
      /** The pcreId of the recording. */
      readonly referenceId: number
      /** Table that the id refers to: 21001 is recordings */
      readonly referenceTable: {
        /** Id */
        readonly id: 21001
      }
      /** pending, ready, failed */
      readonly status: string
      /** BCP 47; null if it is unknown. */
      readonly language: string | null
      /** Null until it is ready, like text. */
      readonly durationMs: number | null
      /** When it was requested. */
      readonly creationTs: string | null
      /** Plain text, one line for each part; show it as text and never as HTML. */
      readonly text: string | null
      /** With getParts; empty until it is ready. */
      readonly parts?: readonly ({
        /** From 1, in the order in which the parts begin. */
        readonly partNo: number
        /** Plain text. */
        readonly text: string
        /** Offset from the start of the recording in milliseconds */
        readonly endMs: number
        /** Channel of the recording, from 0. */
        readonly channel: number
        /** agent, customer, system; null if both sides share one channel. */
        readonly speaker: string | null
        /** Milliseconds from the beginning of the recording. */
        readonly startMs: number
        /** 0 to 1; null if it is unknown. */
        readonly confidence: number | null
      })[]
    })[]
  }
  /** Contacts, by id. */
  readonly 'GET /rest/svcems/entity': {
    readonly query?: {
      /** With the extensions of the contacts. */
      readonly getExtensions?: boolean | undefined
      /** Default 0 */
      readonly offset?: number | undefined
      /** Default 10 */
      readonly size?: number | undefined
      /** Contacts. Our addition, like all following filters; a contact must match all of them. */
      readonly emenIds?: readonly (number | string)[] | undefined
      /** Extensions. */
      readonly eeexIds?: readonly (number | string)[] | undefined
      /** A customer number. */
      readonly seqNo?: number | string | undefined
      /** A telephone number; write + as %2B in the URL. */
      readonly number?: string | undefined
      /** A part of the name; case and accents do not count */
      readonly name?: string | undefined
    }
    readonly answer: readonly Entity[]
  }
  /** Create or change a contact. */
  readonly 'POST /rest/svcems/entity': {
    readonly body: {
      /** The contact to change */
      readonly emenId?: number | string | undefined
      /** First names, or the name of a company; required for a new contact */
      readonly name1?: string | undefined
      /** Last name */
      readonly name2?: string | undefined
      /** The owner; default the first one of the credential; it cannot be changed */
      readonly corporation?: EntityWithCorpIdIn | undefined
      /** 1 private entity, 2 company */
      readonly entityType?: 1 | 2 | undefined
      /** BCP 47, such as et; null clears */
      readonly language?: string | null | undefined
      /** All numbers, in order; an import does not add a number again that is taken off here */
      readonly numbers?: readonly ({
        /** A telephone number */
        readonly number: string
        /** Default other */
        readonly type?: "mobile" | "home" | "work" | "other" | undefined
        /** At most one is; default the first number */
        readonly primary?: boolean | undefined
      })[] | undefined
      /** Customers in external systems that this contact is too, 1000 in all; others stay */
      readonly extensions?: readonly ({
        /** The customers */
        readonly extensionLinks?: readonly ({
          /** The external system */
          readonly systemCode: string
          /** The customer in the external system */
          readonly extCustId: string
        })[] | undefined
      })[] | undefined
      /** The updateTs that was read; the answer is 412 if the contact was changed since, by an import too */
      readonly updateTs?: number | string | undefined
    }
    readonly answer: Entity
  }
  /** Create or change a case. */
  readonly 'POST /rest/svcems/case': {
    readonly body: {
      /** The case to change; if absent, a new case is created */
      readonly eactId?: number | string | undefined
      /** Title of the case */
      readonly description?: string | undefined
      /** Internal status; see emsStatus */
      readonly status?: number | undefined
      /** The owner; it cannot be changed */
      readonly corporation?: EntityWithCorpIdIn | undefined
      /** The contact that the case belongs to; null clears */
      readonly entityExtension?: {
        /** The contact */
        readonly eeexId: number | string
      } | null | undefined
      /** Without status, it sets the status. If both are given and disagree, the default entry of status is used */
      readonly emsStatus?: {
        /** A status that users defined */
        readonly emstId: number | string
      } | undefined
      /** The team that works on the case; null clears */
      readonly queue?: CaseWithUcquIdIn | null | undefined
      /** The subject of the case; null clears */
      readonly category?: WithCtnoIdIn | null | undefined
      /** Null, or absent for a new case: the default priority */
      readonly priority?: {
        /** The priority */
        readonly empriId?: number | string | undefined
        /** The priority; another name of empriId */
        readonly emprId?: number | string | undefined
      } | null | undefined
      /** Deadline of the case; null clears */
      readonly deadlineTs?: number | string | null | undefined
      /** End of the hold; required for status 8, and must be in the future */
      readonly onHoldToTs?: number | string | null | undefined
      /** Why it is on hold, in words; null clears */
      readonly onHoldComment?: string | null | undefined
      /** All tags; null clears */
      readonly emsTags?: readonly ({
        /** The tag */
        readonly name: string
      } | string)[] | null | undefined
      /** Values of information fields; fields that are not listed keep their values; null clears */
      readonly propValues?: readonly ({
        /** An information field */
        readonly emprId: number | string
        /** Null removes the value */
        readonly value: string | null
      })[] | null | undefined
      /** Members that begin or end; members that are not listed stay; null clears */
      readonly members?: readonly ({
        /** 1 assigned user, 2 follower, 20 contact */
        readonly role: 1 | 2 | 20
        /** The user, for roles 1 and 2; null clears */
        readonly user?: {
          /** A user of the corporation */
          readonly userId: number | string
        } | null | undefined
        /** The contact, for role 20; null clears */
        readonly entityExtension?: {
          /** A contact of the corporation */
          readonly eeexId: number | string
        } | null | undefined
        /** False ends the role; our addition */
        readonly active?: boolean | undefined
        /** A member with endTs, as answers contain it, is ignored */
        readonly endTs?: number | string | null | undefined
      })[] | null | undefined
      /** Merges the case into that case; null undoes the merge within 30 days and needs the scope admin */
      readonly mergedTo?: {
        /** A case of the same corporation */
        readonly eactId: number | string
      } | null | undefined
      /** The updateTs that was read; the answer is 412 if the case was changed since */
      readonly updateTs?: number | string | null | undefined
    }
    readonly answer: {
      /** Id of an activity: a call, an email, a conversation or a case */
      readonly eactId: number
      /** The corporation that owns the record */
      readonly corporation: WithCorpId
      /** Type of the activity */
      readonly activityType: ActivityType
      /** Number for people: a case number or a customer number */
      readonly seqNo: number
      /** Always the internalStatus of emsStatus */
      readonly status: number
      /** Title of the case */
      readonly description: string
      /** When it was created */
      readonly creationTs: string | null
      /** Last change of the case itself; linked activities do not count */
      readonly updateTs: string | null
      /** The user; null for a system without a user */
      readonly creator: Creator | null
      /** The contact that the case belongs to */
      readonly entityExtension: WithEeexId | null
      /** The subject of the case */
      readonly category: Category | null
      /** The priority */
      readonly priority: Priority
      /** The custom status; its internalStatus determines how the case behaves */
      readonly emsStatus: EmsStatus
      /** Last change of the status */
      readonly emsStatusChangeTs: string | null
      /** The last open status; a reopened case returns to it */
      readonly emsStatusLastOpen: EmsStatus
      /** Last communication from us, such as a sent email or a comment */
      readonly internalUpdateTs: string | null
      /** Last communication from outside, such as a received email */
      readonly externalUpdateTs: string | null
      /** Deadline of the case */
      readonly deadlineTs: string | null
      /** The team that works on the case */
      readonly queue: CaseQueue | null
      /** End of the hold */
      readonly onHoldToTs: string | null
      /** Why it is on hold, in words */
      readonly onHoldComment: string | null
      /** The case that it was merged into; null for all others */
      readonly mergedTo: LinkWithEactId | null
      /** Members with the start and end of their membership */
      readonly members: readonly Member[]
      /** Links from and to other activities */
      readonly links: readonly Link[]
      /** Comments */
      readonly texts: readonly Text[]
      /** Changes: what was changed, when, and by which user */
      readonly logs: readonly Log[]
      /** Tags */
      readonly emsTags: readonly EmsTag[]
      /** Files */
      readonly coreFileReferences: readonly CoreFileReference[]
      /** Values of information fields */
      readonly propValues: readonly PropValue[]
    }
  }
  /** Look up cases with their members, links, comments and files. */
  readonly 'POST /rest/svcems/cases/search': {
    readonly body: {
      /** Cases; unknown ids are ignored */
      readonly eactIds?: readonly (number | string)[] | undefined
      /** Case numbers. Our addition, like all following filters; a case must match all of them */
      readonly seqNos?: readonly (number | string)[] | undefined
      /** Internal statuses */
      readonly statuses?: readonly number[] | undefined
      /** Statuses that users defined */
      readonly emstIds?: readonly (number | string)[] | undefined
      /** Queues */
      readonly ucquIds?: readonly (number | string)[] | undefined
      /** Contacts that cases belong to */
      readonly eeexIds?: readonly (number | string)[] | undefined
      /** Current assigned users */
      readonly assignedUserIds?: readonly (number | string)[] | undefined
      /** Changed at this instant or later; who follows changes sends the last svc-next-updatetsfrom */
      readonly updateTsFrom?: number | string | undefined
      /** Changed at this instant or earlier */
      readonly updateTsTo?: number | string | undefined
      /** Cases with a smaller id: that of the last case of the page before gives the next page, without a gap */
      readonly eactIdBelow?: number | string | undefined
      /** A part of the title, of a comment or of an email of the case. Case, accents and HTML do not count: aero finds Ærø */
      readonly text?: string | undefined
      /** False leaves the comments out */
      readonly getTexts?: boolean | undefined
      /** False leaves the logs out */
      readonly getLogs?: boolean | undefined
      /** First row of the range, starting at 0 */
      readonly limitFrom?: number | undefined
      /** First row after the window */
      readonly limitTo?: number | undefined
    }
    readonly answer: readonly ({
      /** Id of an activity: a call, an email, a conversation or a case */
      readonly eactId: number
      /** The corporation that owns the record */
      readonly corporation: WithCorpId
      /** Type of the activity */
      readonly activityType: ActivityType
      /** Number for people: a case number or a customer number */
      readonly seqNo: number
      /** Always the internalStatus of emsStatus */
      readonly status: number
      /** Title of the case */
      readonly description: string
      /** When it was created */
      readonly creationTs: string | null
      /** Last change of the case itself; linked activities do not count */
      readonly updateTs: string | null
      /** The user; null for a system without a user */
      readonly creator: Creator | null
      /** The contact that the case belongs to */
      readonly entityExtension: WithEeexId | null
      /** The subject of the case */
      readonly category: Category | null
      /** The priority */
      readonly priority: Priority
      /** The custom status; its internalStatus determines how the case behaves */
      readonly emsStatus: EmsStatus
      /** Last change of the status */
      readonly emsStatusChangeTs: string | null
      /** The last open status; a reopened case returns to it */
      readonly emsStatusLastOpen: EmsStatus
      /** Last communication from us, such as a sent email or a comment */
      readonly internalUpdateTs: string | null
      /** Last communication from outside, such as a received email */
      readonly externalUpdateTs: string | null
      /** Deadline of the case */
      readonly deadlineTs: string | null
      /** The team that works on the case */
      readonly queue: CaseQueue | null
      /** End of the hold */
      readonly onHoldToTs: string | null
      /** Why it is on hold, in words */
      readonly onHoldComment: string | null
      /** The case that it was merged into; null for all others */
      readonly mergedTo: LinkWithEactId | null
      /** Members with the start and end of their membership */
      readonly members: readonly Member[]
      /** Links from and to other activities */
      readonly links: readonly Link[]
      /** Tags */
      readonly emsTags: readonly EmsTag[]
      /** Files */
      readonly coreFileReferences: readonly CoreFileReference[]
      /** Values of information fields */
      readonly propValues: readonly PropValue[]
      /** Comments */
      readonly texts?: readonly Text[]
      /** Changes: what was changed, when, and by which user */
      readonly logs?: readonly Log[]
    })[]
  }
  /** Comment on a case. */
  readonly 'POST /rest/svcems/activitytexts': {
    readonly body: {
      /** HTML, at most 64 KiB; answers contain it cleaned of everything that could do harm */
      readonly text: string
      /** The activity that the record belongs to */
      readonly activity: {
        /** The case */
        readonly eactId: number | string
      }
      /** Visible to users only; default true, unless external is true. Our addition */
      readonly internal?: boolean | undefined
      /** It came from outside and reopens the case, as an email does. Our addition */
      readonly external?: boolean | undefined
    }
    readonly answer: Text
  }
  /** Categories of cases. */
  readonly 'GET /rest/svcems/categories': {
    readonly query?: WithAllIn
    readonly answer: readonly Category[]
  }
  /** Add a category. */
  readonly 'POST /rest/svcems/categories': {
    readonly body: {
      /** Name as people see it */
      readonly name: string
      /** Default 0 */
      readonly sortOrder?: number | undefined
      /** Default: the first corporation of the credential */
      readonly corporation?: EntityWithCorpIdIn | undefined
      /** The category above it */
      readonly parent?: WithCtnoIdIn | null | undefined
    }
    readonly answer: Category
  }
  /** Statuses of cases that users defined. */
  readonly 'GET /rest/svcems/statuses': {
    readonly query?: {
      /** 35013 (default): user-defined statuses; other types are empty */
      readonly type?: number | undefined
      /** Also entries that are not active */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly EmsStatus[]
  }
  /** Add a status of cases. */
  readonly 'POST /rest/svcems/statuses': {
    readonly body: {
      /** Name as people see it */
      readonly name: string
      /** Default 0 */
      readonly sortOrder?: number | undefined
      /** Default: the first corporation of the credential */
      readonly corporation?: EntityWithCorpIdIn | undefined
      /** Such as #2f6fde */
      readonly color?: string | null | undefined
      /** It becomes the default of the list */
      readonly default?: boolean | undefined
      /** How cases with this status behave; it cannot be changed later */
      readonly internalStatus: number
    }
    readonly answer: EmsStatus
  }
  /** Priorities of cases. */
  readonly 'GET /rest/svcems/priorities': {
    readonly query?: WithAllIn
    readonly answer: readonly Priority[]
  }
  /** Add a priority. */
  readonly 'POST /rest/svcems/priorities': {
    readonly body: {
      /** Name as people see it */
      readonly name: string
      /** Default 0 */
      readonly sortOrder?: number | undefined
      /** Default: the first corporation of the credential */
      readonly corporation?: EntityWithCorpIdIn | undefined
      /** Such as #2f6fde */
      readonly color?: string | null | undefined
      /** It becomes the default of the list */
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
      /** Name as people see it */
      readonly name?: string | undefined
      /** Position in the list, lowest first */
      readonly sortOrder?: number | undefined
      /** False: existing cases keep it, and it cannot be given to others */
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
      /** Name as people see it */
      readonly name?: string | undefined
      /** Position in the list, lowest first */
      readonly sortOrder?: number | undefined
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active?: boolean | undefined
      /** Such as #2f6fde */
      readonly color?: string | null | undefined
      /** It becomes the default of the list */
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
      /** Name as people see it */
      readonly name?: string | undefined
      /** Position in the list, lowest first */
      readonly sortOrder?: number | undefined
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active?: boolean | undefined
      /** Such as #2f6fde */
      readonly color?: string | null | undefined
      /** It becomes the default of the list */
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
  /** Upload files to a case. */
  readonly 'POST /rest/core/corefile': {
    readonly query: {
      /** Always 35007: the table of cases */
      readonly tblId: 35007
      /** Always 3: an uploaded file */
      readonly type: 3
      /** The eactId of the case */
      readonly id: number | string
    }
    readonly body: FormData
    readonly answer: readonly ({
      /** Id of a file, for GET /rest/core/corefile */
      readonly cfreId: number
      /** Kind of the file */
      readonly type: 3
      /** As it was sent, without a folder */
      readonly fileName: string
      /** As it was sent; the file may be served with another type */
      readonly mimeType: string
      /** In bytes */
      readonly size: number
      /** SHA-256 of the bytes, in hexadecimal digits */
      readonly sha256: string
      /** When it was uploaded */
      readonly creationTs: string | null
      /** The case of the file */
      readonly activity: LinkWithEactId
    })[]
  }
  /** Activities by their ids or contacts, newest first. */
  readonly 'GET /rest/svcems/activities': {
    readonly query?: {
      /** Activities: one id, or several separated by commas */
      readonly eactId?: readonly (number | string)[] | undefined
      /** Activities of these contacts, by the ids of their extensions */
      readonly eeexId?: readonly (number | string)[] | undefined
      /** With members */
      readonly getMembers?: boolean | undefined
      /** With coreFileReferences */
      readonly getFiles?: boolean | undefined
      /** With emsTags */
      readonly getEmsTags?: boolean | undefined
      /** First row of the window, from 0; default 0 */
      readonly limitFrom?: number | undefined
      /** First row after the window, at most 1000 after limitFrom; default 100 after limitFrom */
      readonly limitTo?: number | undefined
    }
    readonly answer: readonly Activity[]
  }
  /** Activities by their ids, or by their links. */
  readonly 'POST /rest/svcems/activities/search': {
    readonly body: {
      /** Activities; unknown ids are ignored */
      readonly eactIds?: readonly (number | string)[] | undefined
      /** Activities that match any of these filters */
      readonly activityLinkFilters?: readonly ({
        /** Activities at one end of the links */
        readonly eactIds: readonly (number | string)[]
        /** 13, 14, 16; default all */
        readonly linkTypes?: readonly (13 | 14 | 16)[] | undefined
        /** FROM (default): the activities at the other end of the links. TO: only those whose links point to a given activity. For a conversation both give its emails, for a case its activities. */
        readonly linkDirection?: "FROM" | "TO" | undefined
      })[] | undefined
      /** With members */
      readonly getMembers?: boolean | undefined
      /** With coreFileReferences */
      readonly getFiles?: boolean | undefined
      /** With emsTags */
      readonly getEmsTags?: boolean | undefined
      /** First row of the window, from 0; default 0 */
      readonly limitFrom?: number | undefined
      /** First row after the window, at most 1000 after limitFrom, which is the default */
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
      /** What the receiving server found about the sender; null without the setting authenticatedBy */
      readonly authentication: {
        /** Result of SPF, such as pass or fail; null: none */
        readonly spf: string | null
        /** Result of DKIM, such as pass or fail; null: none */
        readonly dkim: string | null
        /** Result of DMARC, such as pass or fail; null: none */
        readonly dmarc: string | null
      } | null
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
      /** A call, an email or a conversation; for type 16 a case */
      readonly from: ActivitylinkWithEactIdIn
      /** The case */
      readonly to: ActivitylinkWithEactIdIn
    }
    readonly answer: {
      /** 14: an activity into a case. 16: a case under another case. */
      readonly type: 14 | 16
      /** A call, an email or a conversation; for type 16 a case */
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
      /** The eactId of the source of the link */
      readonly from: number | string
      /** The eactId of the case, the target of the link */
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
      readonly events: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update" | "phone-call-outcome.creation")[]
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
      readonly events?: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update" | "phone-call-outcome.creation")[] | undefined
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
      readonly types?: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update" | "phone-call-outcome.creation")[] | undefined
      /** Maximum number of events; default 100 */
      readonly limit?: number | undefined
    }
    readonly answer: {
      /** Events */
      readonly events: readonly ({
        /** Type */
        readonly type: "phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update" | "phone-call-outcome.creation"
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
          /** The outcome that an agent saved */
          readonly outcomeId?: number
          /** Its place among the outcomes that were saved for the call, from 1 */
          readonly outcomeNumber?: number
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
  /** The states of the agents who are logged in at this node. */
  readonly 'GET /svcpbx/agents': {
    readonly answer: readonly ({
      /** Login name */
      readonly userName: string
      /** loggedOut, calling, ready, reserved, talking, wrapUp or paused */
      readonly state: string
      /** Start of the state */
      readonly sinceTs: string | null
      /** When the state ends by itself */
      readonly untilTs: string | null
      /** Reason as text */
      readonly reason: string | null
      /** pause or logOut, which waits until the outgoing calls have ended; logIn, which waits until the phone is free */
      readonly asked: string | null
    })[]
  }
  /** Agents of this node whom the agent of the credential could consult now: ready and free. */
  readonly 'GET /svcpbx/agents/me/colleagues': {
    readonly answer: readonly ({
      /** Login name */
      readonly userName: string
      /** To show */
      readonly name: string
    })[]
  }
  /** The campaigns in which the agent of the credential may dial numbers, by name. */
  readonly 'GET /svcpbx/agents/me/campaigns': {
    readonly answer: readonly ({
      /** Code of a campaign */
      readonly callCode: number
      /** Display name */
      readonly name: string
    })[]
  }
  /** Log in and out, pause, dial, skip, hang up, wrap up, save an outcome. */
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
      readonly type: "renewLeg"
    } | {
      /** Type */
      readonly type: "doubtPhone"
    } | {
      /** Type */
      readonly type: "pause"
      /** Reason as text */
      readonly reason: string
    } | {
      /** Type */
      readonly type: "dial"
      /** The call task to dial; default: the offered one */
      readonly itcaId?: number | string | undefined
      /** The only number that may ring, as somebody writes it; default: the one whose turn it is */
      readonly number?: string | undefined
    } | {
      /** Type */
      readonly type: "dialNumber"
      /** As somebody writes it: +4520123456, 20 12 34 56 */
      readonly number: string
      /** A campaign of agents/me/campaigns: its caller id, hours and outcomes */
      readonly callCode: number | string
    } | {
      /** Type */
      readonly type: "skip"
      /** The call task to skip; default: the offered one */
      readonly itcaId?: number | string | undefined
      /** Why the agent skips the task */
      readonly reason?: string | undefined
    } | {
      /** Type */
      readonly type: "hangUp"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    } | {
      /** Type */
      readonly type: "hold"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    } | {
      /** Type */
      readonly type: "resume"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    } | {
      /** Type */
      readonly type: "mute"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    } | {
      /** Type */
      readonly type: "unmute"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    } | {
      /** Type */
      readonly type: "digits"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
      /** Keys to press for the other side */
      readonly digits: string
    } | {
      /** Type */
      readonly type: "consult"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
      /** A number, as somebody writes it; of our own country */
      readonly number?: string | undefined
      /** An agent who is ready */
      readonly userName?: string | undefined
    } | {
      /** Type */
      readonly type: "transfer"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
      /** A number, as somebody writes it; of our own country */
      readonly number?: string | undefined
      /** An agent who is ready */
      readonly userName?: string | undefined
    } | {
      /** Type */
      readonly type: "connect"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    } | {
      /** Type */
      readonly type: "join"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    } | {
      /** Type */
      readonly type: "back"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    } | {
      /** Type */
      readonly type: "endWrapUp"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    } | {
      /** Type */
      readonly type: "feedback"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
      /** Type of feedback */
      readonly feedbackType: string
      /** The customer cannot be imported into this campaign again before the quarantine ends (code 204). It ends no open call task: use doNotCall, or end the call task. */
      readonly final?: boolean | undefined
      /** Note written by the agent */
      readonly note?: string | undefined
    } | {
      /** Type */
      readonly type: "outcome"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
      /** An active outcome of the campaign of the call; of a call that came in, of its queue */
      readonly outcomeId: number | string
      /** Note written by the agent */
      readonly note?: string | undefined
      /** When to call again; an outcome may need it, and a final one refuses it. Without it the date of an earlier outcome of the agent about this call is taken back */
      readonly callBackTs?: number | string | undefined
      /** The agent who promised it calls back; otherwise any agent of the team */
      readonly callBackForMe?: boolean | undefined
      /** Allows a callback before the minimum interval has passed */
      readonly askedByContact?: boolean | undefined
      /** The values of its fields */
      readonly fields?: readonly ({
        /** The name of a field of the outcome */
        readonly name: string
        /** As the kind of the field says: a text, a number, a day such as 2026-01-31, one of the choices */
        readonly value: number | string
      })[] | undefined
    } | {
      /** Type */
      readonly type: "callback"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
      /** When to call again */
      readonly callBackTs: number | string
      /** Allows a callback before the minimum interval has passed */
      readonly askedByContact?: boolean | undefined
    } | {
      /** Type */
      readonly type: "doNotCall"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
      /** What the person said; kept as evidence */
      readonly reason: string
    } | {
      /** Type */
      readonly type: "recordingConsent"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    } | {
      /** Type */
      readonly type: "machine"
      /** The call that the order is about, as its notification named it. Default: the present or the last call; in the first seconds of a new call an order without it is refused */
      readonly callId?: string | undefined
    }
    readonly answer: WithOk
  }
  /** A ticket that opens the event socket once, within 30 s. */
  readonly 'POST /svcpbx/agents/me/tickets': {
    readonly answer: Ticket
  }
  /** Credentials of the agent’s phone in the browser, for one shift. */
  readonly 'POST /svcpbx/agents/me/phone': {
    readonly body: {
      /** From an earlier answer to this tab */
      readonly epoch?: string | undefined
      /** Takes the phone from another tab or computer */
      readonly takeOver?: boolean | undefined
    }
    readonly answer: {
      /** Path at this node. Open it with the sub-protocols "sip" and a ticket of agents/me/tickets (RFC 7118) */
      readonly wsUrl: string
      /** User of the REGISTER (RFC 3261), without a host */
      readonly sipUser: string
      /** Valid until expiresTs, the next request of this kind, or DELETE */
      readonly sipPassword: string
      /** End of the password */
      readonly expiresTs: string | null
      /** For RTCPeerConnection: those of `phones.ice` of the setup file */
      readonly iceServers: readonly ({
        /** Address of a STUN or TURN server */
        readonly urls: string
        /** Of a TURN server: until when, and for whom */
        readonly username?: string
        /** Of a TURN server: valid until expiresTs */
        readonly credential?: string
      })[]
      /** The header of an INVITE that names the announced leg */
      readonly legHeader: string
      /** Names this tab: send it again after the page was loaded again */
      readonly epoch: string
    }
  }
  /** Ends the agent’s phone in the browser: its connection and its password. */
  readonly 'DELETE /svcpbx/agents/me/phone': {
    readonly query?: {
      /** Ends the phone of this tab alone */
      readonly epoch?: string | undefined
    }
    readonly answer: undefined
  }
  /** How the agent’s browser hears: kept with the present call, and shown on boards. */
  readonly 'POST /svcpbx/agents/me/phone/report': {
    readonly body: {
      /** loss: more than 5 % of the packets; delay: a round trip of more than 400 ms, over 10 s; silentIn, silentOut: nothing comes from the other side, or from the agent; good: again; noSound: a leg was answered in vain; strangeInvite: one rang that was not announced */
      readonly what: "good" | "loss" | "delay" | "silentIn" | "silentOut" | "noSound" | "strangeInvite"
      /** Of the worse way, over 10 s */
      readonly lossPercent?: number | undefined
      /** On average, over 10 s */
      readonly roundTripMs?: number | undefined
    }
    readonly answer: undefined
  }
  /** A ticket that opens the live stream once, within 30 s. */
  readonly 'POST /rest/core/stream/ticket': {
    readonly answer: Ticket
  }
  /** End the wrap-up of an agent, pause them, or log them out. */
  readonly 'PUT /svcpbx/agents/{userName}/state': {
    readonly params: {
      /** The agent. */
      readonly userName: string
    }
    readonly body: {
      /** ready: ends a wrap-up or a pause. During a conversation paused and loggedOut wait for the end of its wrap-up; they end a wrap-up at once. */
      readonly state: "ready" | "paused" | "loggedOut"
      /** With ready: sinceTs of the state that it ends. 409 if the agent is in another one by now. Default: any state */
      readonly sinceTs?: number | string | undefined
      /** Shown to the agent and on boards, and kept in the audit trail; required with paused. No names. */
      readonly reason?: string | undefined
    }
    readonly answer: {
      /** The user of the agent. */
      readonly userId: number
      /** Login name */
      readonly userName: string
      /** loggedOut, calling, ready, reserved, talking, wrapUp or paused */
      readonly state: string
      /** Start of the state */
      readonly sinceTs: string | null
      /** When the state ends by itself */
      readonly untilTs: string | null
      /** Reason as text */
      readonly reason: string | null
      /** pause or logOut, which waits until the outgoing calls have ended; logIn, which waits until the phone is free */
      readonly asked: string | null
    }
  }
  /** The conversations of agents that go on at this node, and who supervises them. */
  readonly 'GET /rest/svcpbx/calls/live': {
    readonly answer: readonly ({
      /** The call, as notifications to its agent name it. */
      readonly callId: string
      /** Its activity; null of a call that came in. */
      readonly eactId: number | null
      /** The agent. */
      readonly userName: string
      /** Who takes part; null if nobody does. */
      readonly supervision: Supervision | null
    })[]
  }
  /** Listen to a conversation, whisper to its agent, or join it. */
  readonly 'POST /rest/svcpbx/calls/{callId}/supervise': {
    readonly params: WithCallIdIn
    readonly body: {
      /** Who hears the supervisor. */
      readonly mode: "listen" | "whisper" | "join"
    }
    readonly answer: Supervision
  }
  /** Leave a conversation. */
  readonly 'DELETE /rest/svcpbx/calls/{callId}/supervise': {
    readonly params: WithCallIdIn
    readonly answer: undefined
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
      /** Reason, for example a request number; stored for years, so it must not contain names */
      readonly reason: string
      /** `next` of the part before, about the same person: the next part of an export that is not complete */
      readonly after?: string | undefined
    }
    readonly answer: {
      /** False if a table or the journal has more than 5,000 rows, or all of it has more than 32 Mi letters: `next` gives the further rows */
      readonly complete: boolean
      /** To be sent as `after`; null: the end */
      readonly next: string | null
      /** Calls, recordings (files by cfreId), transcripts and summaries */
      readonly calls: Readonly<Record<string, unknown>>
      /** Cases, comments, emails and files */
      readonly activities: Readonly<Record<string, unknown>>
      /** Call tasks and attempts */
      readonly tasks: Readonly<Record<string, unknown>>
      /** Contacts and their phone numbers */
      readonly contacts: Readonly<Record<string, unknown>>
      /** Entries of the stop lists */
      readonly stopLists: Readonly<Record<string, unknown>>
      /** Parts of lists that are being imported and name a number or customer number; others may be in them */
      readonly imports: Readonly<Record<string, unknown>>
      /** Events of the calls, as the call journal of this node has them */
      readonly journal: readonly (Readonly<Record<string, unknown>>)[]
    }
  }
  /** Erase all data about a person. */
  readonly 'POST /rest/core/persons/erase': {
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
      /** Reason, for example a request number; stored for years, so it must not contain names */
      readonly reason: string
    }
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
      /** Cases, conversations, emails and calls that a hold of a person or case keeps now, linked ones included */
      readonly activities: number
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
  'GET /dialer/callbacks': { by: 'pageNumber', in: 'query', rows: 'callbacks' },
  'POST /svcdialer/calltaskcallattempts/search': { by: 'pageNumber', in: 'body', rows: 'callAttempts' },
  'GET /svcems/calls': { by: 'after', in: 'query', rows: 'calls' },
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
