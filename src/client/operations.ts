/** Every operation, made from the OpenAPI document: npm run generate:client. Not to be edited. */

/** Method and path, as the contract spells them, and what belongs to each. */
export interface Operations {
  /** The address of the node that serves all other operations. */
  readonly 'GET /rest/api/state': {
    readonly answer: {
      /** Address of the node that serves everything else */
      readonly endpoint: string
    }
  }
  /** Three values for a person with a password. */
  readonly 'POST /rest/api/login': {
    readonly body: {
      /** Name to sign on with */
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
      /** 12 h after the last use; never later than 24 h after sign-on */
      readonly expiresTs: string | null
    }
  }
  /** Issue a credential. */
  readonly 'POST /rest/core/tokens': {
    readonly body: {
      /** What it is for, for whoever reads the list */
      readonly name: string
      /** The person behind it; a system when absent */
      readonly userId?: number | string | undefined
      /** What the credential may do */
      readonly scopes: readonly ("dialer:read" | "dialer:write" | "calls:read" | "transcripts:read" | "entities:read" | "cases:read" | "cases:write" | "files:read" | "files:write" | "users:read" | "webhooks:write" | "config:write" | "admin")[]
      /** Corporations */
      readonly corpIds: readonly (number | string)[]
      /** Addresses or networks: 10.0.0.0/8 */
      readonly ipAllowList?: readonly (string)[] | undefined
      /** 365 days from now when absent, 730 days at the most */
      readonly expiresTs?: number | string | undefined
    }
    readonly answer: {
      /** The secret: shown here and never again */
      readonly tokenv2: string
      /** The public id */
      readonly rcntrl: string
      /** The check value */
      readonly ccntrl: string
      /** The end of its life */
      readonly expiresTs: string | null
    }
  }
  /** List credentials, without their secrets. */
  readonly 'GET /rest/core/tokens': {
    readonly answer: readonly ({
      /** Public id of the credential */
      readonly rcntrl: string
      /** Name as people see it */
      readonly name: string
      /** Id of a user */
      readonly userId: number | null
      /** What the credential may do */
      readonly scopes: readonly (string)[]
      /** Corporations */
      readonly corpIds: readonly (number)[]
      /** Addresses it works from; empty: from everywhere */
      readonly ipAllowList: readonly (string)[]
      /** When it was issued */
      readonly creationTs: string | null
      /** The end of its life */
      readonly expiresTs: string | null
      /** To the minute */
      readonly lastUsedTs: string | null
      /** Address it was last used from */
      readonly lastUsedIp: string | null
    })[]
  }
  /** Replace a credential. */
  readonly 'POST /rest/core/tokens/{rcntrl}/rotate': {
    readonly params: {
      /** The public id */
      readonly rcntrl: string
    }
    readonly body?: {
      /** So long the old one works as well; 24 when absent */
      readonly overlapHours?: number | undefined
    }
    readonly answer: {
      /** The secret: shown here and never again */
      readonly tokenv2: string
      /** The public id */
      readonly rcntrl: string
      /** The check value */
      readonly ccntrl: string
      /** The end of its life */
      readonly expiresTs: string | null
    }
  }
  /** Withdraw a credential. */
  readonly 'DELETE /rest/core/tokens/{rcntrl}': {
    readonly params: {
      /** The public id */
      readonly rcntrl: string
    }
    readonly answer: undefined
  }
  /** Who asks. */
  readonly 'GET /rest/core/activeuser': {
    readonly answer: {
      /** null for the credential of a system */
      readonly userId: number | null
      /** Name to sign on with */
      readonly userName: string
      /** Name as people see it */
      readonly name: string
      /** Address of email */
      readonly email: string | null
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
        /** Name as people see it */
        readonly name: string
      } | null
      /** Corporations that may be worked for */
      readonly corporations: readonly ({
        /** Id of a corporation */
        readonly corpId: number
        /** Name as people see it */
        readonly name: string
      })[]
      /** What somebody is here */
      readonly roles: readonly (string)[]
      /** What the credential may do */
      readonly scopes: readonly (string)[]
      /** Language and country of the screens */
      readonly locale: string
      /** Time zone, as IANA names it */
      readonly timeZone: string
      /** production or development */
      readonly environment: string
      /** When this credential ends */
      readonly tokenExpiresTs: string | null
    }
  }
  /** Who works here. */
  readonly 'GET /rest/core/users': {
    readonly query?: {
      /** Rows that are passed over; 0 when absent */
      readonly offset?: number | undefined
      /** Rows of a page */
      readonly size?: number | undefined
      /** Also those who are not active any more */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of a user */
      readonly userId: number
      /** Name to sign on with */
      readonly userName: string
      /** Name as people see it */
      readonly name: string
      /** Address of email */
      readonly email: string | null
      /** Telephone number */
      readonly phone: string | null
      /** Whether it is in use */
      readonly active: boolean
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
        /** Name as people see it */
        readonly name: string
      }
      /** Queues of the team that somebody is in */
      readonly queues: readonly ({
        /** Id of a queue */
        readonly ucquId: number
        /** Name as people see it */
        readonly name: string
      })[]
      /** What they do just now; null when they are not logged in */
      readonly presence: {
        /** How it is just now */
        readonly state: string
        /** Since when */
        readonly sinceTs: string | null
      } | null
    })[]
  }
  /** The queues. */
  readonly 'GET /rest/svcpbx/queue': {
    readonly query?: {
      /** Also those that are not used any more */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of a queue */
      readonly ucquId: number
      /** Name as people see it */
      readonly name: string
      /** Numbers belong to flows here, not to queues */
      readonly number: null
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Whether it is in use */
      readonly active: boolean
      /** Hours belong to flows here: a queue is open while it is active */
      readonly openNow: boolean
      /** Agents who wait for a call */
      readonly agentsReady: number
      /** null: not counted yet */
      readonly waitingCalls: number | null
    })[]
  }
  /** The external systems. */
  readonly 'GET /rest/core/externalsystems': {
    readonly query?: {
      /** Also entries that are not active */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of an external system */
      readonly itsyId: number
      /** Code of an external system */
      readonly systemCode: string
      /** Name as people see it */
      readonly name: string
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Page that is opened with a call; {$CODE} is the case number */
      readonly popupUrlTemplate: string | null
      /** Where cases are looked up; null when they are not */
      readonly lookup: {
        /** https://…/CaseInfo/{caseNumber} */
        readonly urlTemplate: string
        /** Header that carries the secret */
        readonly authHeaderName?: string
        /** Name of a secret of the configuration, never the secret itself */
        readonly authSecretRef?: string
        /** Longest wait, in milliseconds */
        readonly timeoutMs?: number
      } | null
      /** Hosts that may be asked besides */
      readonly allowedHosts: readonly (string)[]
      /** Whether it is in use */
      readonly active: boolean
    })[]
  }
  /** Add an external system. */
  readonly 'POST /rest/core/externalsystems': {
    readonly body: {
      /** Code of an external system */
      readonly systemCode: string
      /** Name as people see it */
      readonly name: string
      /** Whose it is */
      readonly corporation?: {
        /** Default: the first corporation of the credential */
        readonly corpId: number | string
      } | undefined
      /** Page that is opened with a call; {$CODE} is the case number */
      readonly popupUrlTemplate?: string | null | undefined
      /** Where cases are looked up; null when they are not */
      readonly lookup?: {
        /** https://…/CaseInfo/{caseNumber} */
        readonly urlTemplate: string
        /** Header that carries the secret */
        readonly authHeaderName?: string | undefined
        /** Name of a secret of the configuration, never the secret itself */
        readonly authSecretRef?: string | undefined
        /** Longest wait, in milliseconds */
        readonly timeoutMs?: number | undefined
      } | null | undefined
      /** Hosts that may be asked besides */
      readonly allowedHosts?: readonly (string)[] | undefined
      /** Whether it is in use */
      readonly active?: boolean | undefined
    }
    readonly answer: {
      /** Id of an external system */
      readonly itsyId: number
      /** Code of an external system */
      readonly systemCode: string
      /** Name as people see it */
      readonly name: string
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Page that is opened with a call; {$CODE} is the case number */
      readonly popupUrlTemplate: string | null
      /** Where cases are looked up; null when they are not */
      readonly lookup: {
        /** https://…/CaseInfo/{caseNumber} */
        readonly urlTemplate: string
        /** Header that carries the secret */
        readonly authHeaderName?: string
        /** Name of a secret of the configuration, never the secret itself */
        readonly authSecretRef?: string
        /** Longest wait, in milliseconds */
        readonly timeoutMs?: number
      } | null
      /** Hosts that may be asked besides */
      readonly allowedHosts: readonly (string)[]
      /** Whether it is in use */
      readonly active: boolean
    }
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
      /** Name as people see it */
      readonly name?: string | undefined
      /** Page that is opened with a call; {$CODE} is the case number */
      readonly popupUrlTemplate?: string | null | undefined
      /** Where cases are looked up; null when they are not */
      readonly lookup?: {
        /** https://…/CaseInfo/{caseNumber} */
        readonly urlTemplate: string
        /** Header that carries the secret */
        readonly authHeaderName?: string | undefined
        /** Name of a secret of the configuration, never the secret itself */
        readonly authSecretRef?: string | undefined
        /** Longest wait, in milliseconds */
        readonly timeoutMs?: number | undefined
      } | null | undefined
      /** Hosts that may be asked besides */
      readonly allowedHosts?: readonly (string)[] | undefined
      /** Whether it is in use */
      readonly active?: boolean | undefined
    }
    readonly answer: {
      /** Id of an external system */
      readonly itsyId: number
      /** Code of an external system */
      readonly systemCode: string
      /** Name as people see it */
      readonly name: string
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Page that is opened with a call; {$CODE} is the case number */
      readonly popupUrlTemplate: string | null
      /** Where cases are looked up; null when they are not */
      readonly lookup: {
        /** https://…/CaseInfo/{caseNumber} */
        readonly urlTemplate: string
        /** Header that carries the secret */
        readonly authHeaderName?: string
        /** Name of a secret of the configuration, never the secret itself */
        readonly authSecretRef?: string
        /** Longest wait, in milliseconds */
        readonly timeoutMs?: number
      } | null
      /** Hosts that may be asked besides */
      readonly allowedHosts: readonly (string)[]
      /** Whether it is in use */
      readonly active: boolean
    }
  }
  /** The information fields that call tasks may carry. */
  readonly 'GET /rest/svcems/infofields': {
    readonly query?: {
      /** Also entries that are not active */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of an information field; priorities have ids of their own */
      readonly emprId: number
      /** Name as people see it */
      readonly name: string
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Whether it is in use */
      readonly active: boolean
    })[]
  }
  /** Add an information field. */
  readonly 'POST /rest/svcems/infofields': {
    readonly body: {
      /** Name as people see it */
      readonly name: string
      /** Whose it is */
      readonly corporation?: {
        /** Default: the first corporation of the credential */
        readonly corpId: number | string
      } | undefined
    }
    readonly answer: {
      /** Id of an information field; priorities have ids of their own */
      readonly emprId: number
      /** Name as people see it */
      readonly name: string
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Whether it is in use */
      readonly active: boolean
    }
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
      /** Text: the code of an external system. Required. */
      readonly systemCode?: unknown | undefined
      /** Whole number: the campaign that receives the call tasks. Required. */
      readonly callCode?: unknown | undefined
      /** Whole number, 1 to 100: unanswered attempts of each call task. Required. */
      readonly maxCallAttempts?: unknown | undefined
      /** Whole number, 0 to 8760: hours between two attempts. Required. */
      readonly minCallIntervalHours?: unknown | undefined
      /** List of at most 10000 objects, 100000 with importAsync: callReceiverName (text, required), callNumberList (list of 1 to 20 texts, required), extCustId (text), systemLookupCode (text), properties (list of {emprId, value, addToCallTaskName}). Required. */
      readonly callTasks?: unknown | undefined
    }
    readonly answer: {
      /** Empty when every call task was imported. */
      readonly callTaskErrors: readonly ({
        /** Place in the submitted list, from 0. */
        readonly callTaskIndex: number
        /** 1, 12, 101, 102, 103, 201, 202, 203, 204 */
        readonly errorCodes: readonly (number)[]
        /** What is wrong, in words */
        readonly errorText: string
      })[]
      /** Id of an import */
      readonly importId: string
      /** Call tasks that were made */
      readonly importedCount?: number
      /** How far the import is */
      readonly importStatus?: "queued" | "running" | "completed" | "failed" | "cancelled"
      /** With returnImportedCallTasks. */
      readonly callTasks?: readonly ({
        /** Place in the submitted list; in answers to an import. */
        readonly callTaskIndex?: number
        /** Id of a call task */
        readonly itcaId: number
        /** Id of the campaign. */
        readonly callCode: number
        /** Name of the receiver */
        readonly callReceiverName: string
        /** Customer in the external system */
        readonly extCustId: string | null
        /** Case number in the external system */
        readonly systemLookupCode: string | null
        /** 1 NEW, 2 READY, 3 RESERVED, 4 DIALING, 5 IN_CALL, 6 WAITING, 7 CALLBACK, 8 PAUSED, 20 ANSWERED, 21 MAX_ATTEMPTS, 22 ENDED_BY_SYSTEM, 23 ENDED_BY_USER, 24 STOPPED, 25 EXPIRED, 26 NO_CALLABLE_NUMBER */
        readonly statusId: number
        /** Whether it is over for good */
        readonly finished: boolean
        /** Whether a person was talked to */
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
        /** Numbers to dial, the first one first */
        readonly callNumberList?: readonly ({
          /** As it was imported. */
          readonly number: string
          /** The same number in international form */
          readonly e164: string
          /** From 0. */
          readonly position: number
          /** Whether it stands on the stop list */
          readonly stopped: boolean
        })[]
        /** Information fields and their values */
        readonly properties?: readonly ({
          /** Id of an information field; under priority, of a priority */
          readonly emprId: number
          /** Name as people see it */
          readonly name: string
          /** The value */
          readonly value: string
        })[]
        /** Most unanswered attempts */
        readonly maxCallAttempts?: number
        /** Fewest hours between two attempts */
        readonly minCallIntervalHours?: number
        /** The external system it belongs to */
        readonly externalSystem?: {
          /** Id of an external system */
          readonly itsyId: number
          /** Code of an external system */
          readonly systemCode: string
        } | null
        /** Whose it is */
        readonly corporation?: {
          /** Id of a corporation */
          readonly corpId: number
        }
        /** Who is to take care of it */
        readonly assignedUser?: {
          /** Id of a user */
          readonly userId: number
          /** Name as people see it */
          readonly name: string
        } | null
        /** When it was last dialed. */
        readonly lastCallTs?: string | null
        /** The last attempt */
        readonly lastAttempt?: {
          /** Id of a call attempt */
          readonly iccaId: number
          /** Code of the result */
          readonly result: number
        } | null
        /** When it was finished. */
        readonly finishedTs?: string | null
        /** Why it was finished, in words */
        readonly finishReason?: string | null
        /** Id of an import */
        readonly importId?: string | null
        /** Attempts, the first one first */
        readonly callAttempts?: readonly ({
          /** Id of a call attempt */
          readonly iccaId: number
          /** Id of a call task */
          readonly itcaId: number
          /** Code of a campaign */
          readonly callCode: number
          /** The call activity; it can be looked up when the call has ended. */
          readonly eactId: number
          /** From 1. */
          readonly attemptNo: number
          /** The number of the other side */
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
          /** Name of the result */
          readonly resultName: string
          /** A person answered and was connected to an agent. At most one of the four results is true. */
          readonly answered: boolean
          /** Whether a machine answered */
          readonly voicemail: boolean
          /** A person answered, and no agent was available. */
          readonly dropped: boolean
          /** The callee hung up before an agent was available. */
          readonly lost: boolean
          /** Why it ended, as Q.850 numbers it */
          readonly hangupCause: number | null
          /** What the carrier answered */
          readonly sipStatus: number | null
          /** The agent; null when there was none */
          readonly agent: {
            /** Id of a user */
            readonly userId: number | null
            /** Name as people see it */
            readonly name: string
          } | null
          /** So long it rang */
          readonly ringSeconds: number | null
          /** So long they talked */
          readonly talkSeconds: number
        })[]
      })[]
    }
  }
  /** Imports of the last 30 days, newest first. */
  readonly 'GET /svcdialer/calltaskimport': {
    readonly query?: {
      /** How far the import is */
      readonly importStatus?: "queued" | "running" | "completed" | "failed" | "cancelled" | undefined
      /** Rows of a page: 50 when absent, 1000 when 0 or less, 50000 at the most. */
      readonly limit?: number | undefined
      /** From 1; 1 when absent. */
      readonly pageNumber?: number | undefined
    }
    readonly answer: {
      /** Imports of this page */
      readonly imports: readonly ({
        /** Id of an import */
        readonly importId: string
        /** How far the import is */
        readonly importStatus: "queued" | "running" | "completed" | "failed" | "cancelled"
        /** Code of an external system */
        readonly systemCode: string
        /** Code of a campaign */
        readonly callCode: number
        /** Call tasks that were sent */
        readonly submittedCount: number
        /** Call tasks that were made */
        readonly importedCount: number
        /** Call tasks that were not imported */
        readonly failedCount: number
        /** Why it failed. */
        readonly statusText: string | null
        /** When it was submitted. */
        readonly creationTs: string | null
        /** When the first call tasks were checked. */
        readonly startedTs: string | null
        /** When it was finished. */
        readonly finishedTs: string | null
      })[]
      /** Matches on all pages together. */
      readonly foundRows: number
      /** From 1; 0 for a page without rows. */
      readonly firstRow: number
      /** From 1; 0 for a page without rows */
      readonly lastRow: number
      /** Pages of this limit. */
      readonly pageCount: number
    }
  }
  /** One import: its progress and its errors. */
  readonly 'GET /svcdialer/calltaskimport/{importId}': {
    readonly params: {
      /** Id of an import */
      readonly importId: string
    }
    readonly query?: {
      /** Returns the call tasks that were created. */
      readonly returnImportedCallTasks?: boolean | undefined
    }
    readonly answer: {
      /** Id of an import */
      readonly importId: string
      /** How far the import is */
      readonly importStatus: "queued" | "running" | "completed" | "failed" | "cancelled"
      /** Code of an external system */
      readonly systemCode: string
      /** Code of a campaign */
      readonly callCode: number
      /** Call tasks that were sent */
      readonly submittedCount: number
      /** Call tasks that were made */
      readonly importedCount: number
      /** Call tasks that were not imported */
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
      readonly callTaskErrors: readonly ({
        /** Place in the submitted list, from 0. */
        readonly callTaskIndex: number
        /** 1, 12, 101, 102, 103, 201, 202, 203, 204 */
        readonly errorCodes: readonly (number)[]
        /** What is wrong, in words */
        readonly errorText: string
      })[]
      /** Call tasks of this page */
      readonly callTasks?: readonly ({
        /** Place in the submitted list; in answers to an import. */
        readonly callTaskIndex?: number
        /** Id of a call task */
        readonly itcaId: number
        /** Id of the campaign. */
        readonly callCode: number
        /** Name of the receiver */
        readonly callReceiverName: string
        /** Customer in the external system */
        readonly extCustId: string | null
        /** Case number in the external system */
        readonly systemLookupCode: string | null
        /** 1 NEW, 2 READY, 3 RESERVED, 4 DIALING, 5 IN_CALL, 6 WAITING, 7 CALLBACK, 8 PAUSED, 20 ANSWERED, 21 MAX_ATTEMPTS, 22 ENDED_BY_SYSTEM, 23 ENDED_BY_USER, 24 STOPPED, 25 EXPIRED, 26 NO_CALLABLE_NUMBER */
        readonly statusId: number
        /** Whether it is over for good */
        readonly finished: boolean
        /** Whether a person was talked to */
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
        /** Numbers to dial, the first one first */
        readonly callNumberList?: readonly ({
          /** As it was imported. */
          readonly number: string
          /** The same number in international form */
          readonly e164: string
          /** From 0. */
          readonly position: number
          /** Whether it stands on the stop list */
          readonly stopped: boolean
        })[]
        /** Information fields and their values */
        readonly properties?: readonly ({
          /** Id of an information field; under priority, of a priority */
          readonly emprId: number
          /** Name as people see it */
          readonly name: string
          /** The value */
          readonly value: string
        })[]
        /** Most unanswered attempts */
        readonly maxCallAttempts?: number
        /** Fewest hours between two attempts */
        readonly minCallIntervalHours?: number
        /** The external system it belongs to */
        readonly externalSystem?: {
          /** Id of an external system */
          readonly itsyId: number
          /** Code of an external system */
          readonly systemCode: string
        } | null
        /** Whose it is */
        readonly corporation?: {
          /** Id of a corporation */
          readonly corpId: number
        }
        /** Who is to take care of it */
        readonly assignedUser?: {
          /** Id of a user */
          readonly userId: number
          /** Name as people see it */
          readonly name: string
        } | null
        /** When it was last dialed. */
        readonly lastCallTs?: string | null
        /** The last attempt */
        readonly lastAttempt?: {
          /** Id of a call attempt */
          readonly iccaId: number
          /** Code of the result */
          readonly result: number
        } | null
        /** When it was finished. */
        readonly finishedTs?: string | null
        /** Why it was finished, in words */
        readonly finishReason?: string | null
        /** Id of an import */
        readonly importId?: string | null
        /** Attempts, the first one first */
        readonly callAttempts?: readonly ({
          /** Id of a call attempt */
          readonly iccaId: number
          /** Id of a call task */
          readonly itcaId: number
          /** Code of a campaign */
          readonly callCode: number
          /** The call activity; it can be looked up when the call has ended. */
          readonly eactId: number
          /** From 1. */
          readonly attemptNo: number
          /** The number of the other side */
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
          /** Name of the result */
          readonly resultName: string
          /** A person answered and was connected to an agent. At most one of the four results is true. */
          readonly answered: boolean
          /** Whether a machine answered */
          readonly voicemail: boolean
          /** A person answered, and no agent was available. */
          readonly dropped: boolean
          /** The callee hung up before an agent was available. */
          readonly lost: boolean
          /** Why it ended, as Q.850 numbers it */
          readonly hangupCause: number | null
          /** What the carrier answered */
          readonly sipStatus: number | null
          /** The agent; null when there was none */
          readonly agent: {
            /** Id of a user */
            readonly userId: number | null
            /** Name as people see it */
            readonly name: string
          } | null
          /** So long it rang */
          readonly ringSeconds: number | null
          /** So long they talked */
          readonly talkSeconds: number
        })[]
      })[]
    }
  }
  /** Cancel the remaining call tasks of an import. */
  readonly 'DELETE /svcdialer/calltaskimport/{importId}': {
    readonly params: {
      /** Id of an import */
      readonly importId: string
    }
    readonly answer: {
      /** Id of an import */
      readonly importId: string
      /** How far the import is */
      readonly importStatus: "queued" | "running" | "completed" | "failed" | "cancelled"
      /** Code of an external system */
      readonly systemCode: string
      /** Code of a campaign */
      readonly callCode: number
      /** Call tasks that were sent */
      readonly submittedCount: number
      /** Call tasks that were made */
      readonly importedCount: number
      /** Call tasks that were not imported */
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
      /** A JSON object: headings or letters of columns, and their fields. Columns that it does not contain are recognised by their headings. Fields: callReceiverName, firstName, lastName, callNumberList, extCustId, systemLookupCode, ignore, emprId:5 or emprId:5:addToCallTaskName. */
      readonly mapping?: string | undefined
      /** Number of the sheet in a workbook, from 1 */
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
        /** Id of an information field; under priority, of a priority */
        readonly emprId?: number
        /** The value is appended to the name */
        readonly addToCallTaskName?: boolean
      })[]
      /** Warnings that need a check */
      readonly warnings: readonly (string)[]
      /** Rows that are not imported, at most the first 10000 */
      readonly callTaskErrors: readonly ({
        /** Place in the submitted list, from 0. */
        readonly callTaskIndex: number
        /** 1, 12, 101, 102, 103, 201, 202, 203, 204 */
        readonly errorCodes: readonly (number)[]
        /** What is wrong, in words */
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
      /** Call tasks that were made */
      readonly importedCount?: number
      /** How far the import is */
      readonly importStatus?: "queued" | "running" | "completed" | "failed" | "cancelled"
    }
  }
  /** Create or change campaigns. */
  readonly 'POST /dialer/callcode': {
    readonly body: {
      /** Code of the campaign; for a new campaign it may be chosen, otherwise it is assigned */
      readonly callCode?: number | string | undefined
      /** Name as people see it */
      readonly name?: string | undefined
      /** False: the campaign places no calls. */
      readonly active?: boolean | undefined
      /** Whose it is */
      readonly corporation?: {
        /** The owner; it cannot be changed */
        readonly corpId: number | string
      } | undefined
      /** The external system it belongs to */
      readonly externalSystem?: {
        /** The external system */
        readonly itsyId: number | string
      } | null | undefined
      /** The queue: the team whose agents take the calls */
      readonly queue?: {
        /** The team whose agents take the calls */
        readonly ucquId: number | string
      } | null | undefined
      /** The number that callees see: + and digits. Limits are those of the answer; null resets it to the default. */
      readonly callerId?: unknown | undefined
      /** A carrier of the set-up, by its name. Limits are those of the answer; null resets it to the default. */
      readonly trunk?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly dialMode?: unknown | undefined
      /** Numbers of one call task that are rung at once. Limits are those of the answer; null resets it to the default. */
      readonly parallelCalls?: unknown | undefined
      /** Lines for each idle agent, in mode power. Limits are those of the answer; null resets it to the default. */
      readonly linesPerAgent?: unknown | undefined
      /** How mode predictive decides: policy E, algorithm B or algorithm A; price if absent. Limits are those of the answer; null resets it to the default. */
      readonly pacing?: unknown | undefined
      /** Another way that is only watched: what it would have dialed is shown beside what was. Limits are those of the answer; null resets it to the default. */
      readonly shadowPacing?: unknown | undefined
      /** Lines for each agent, whatever the mode. Limits are those of the answer; null resets it to the default. */
      readonly linesPerAgentMax?: unknown | undefined
      /** Abandoned calls of a day per answered one: 3 % at most, and 3 % where no ledgers are set. Limits are those of the answer; null resets it to the default. */
      readonly maxAbandonRate?: unknown | undefined
      /** Further limits on abandoned calls, or others than that of a day: all of them hold at once. Limits are those of the answer; null resets it to the default. */
      readonly ledgers?: unknown | undefined
      /** A phone is left ringing 15 s at least. Limits are those of the answer; null resets it to the default. */
      readonly ringTimeoutSeconds?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly wrapUpMode?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly wrapUpSeconds?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly callWindows?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly holidayCalendar?: unknown | undefined
      /** Further dates on which nobody is called. Limits are those of the answer; null resets it to the default. */
      readonly holidays?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly machineDetection?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly recording?: unknown | undefined
      /** What is said to a person for whom no agent is free, and to a machine. Limits are those of the answer; null resets it to the default. */
      readonly messages?: unknown | undefined
      /** Countries (ISO 3166-1) that may be called; the country of the caller id when absent. Limits are those of the answer; null resets it to the default. */
      readonly allowedDestinations?: unknown | undefined
      /** Calls to one person in any so many days, over all campaigns. Limits are those of the answer; null resets it to the default. */
      readonly frequencyCap?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly afterDropped?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly skipInvalidNumbers?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly dropStoppedNumbers?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly feedbackQuarantineDays?: unknown | undefined
      /** Limits are those of the answer; null resets it to the default. */
      readonly requiresPopup?: unknown | undefined
      /** Campaigns */
      readonly callCodes?: readonly ({
        /** Code of the campaign; for a new campaign it may be chosen, otherwise it is assigned */
        readonly callCode?: number | string | undefined
        /** Name as people see it */
        readonly name?: string | undefined
        /** False: the campaign places no calls. */
        readonly active?: boolean | undefined
        /** Whose it is */
        readonly corporation?: {
          /** The owner; it cannot be changed */
          readonly corpId: number | string
        } | undefined
        /** The external system it belongs to */
        readonly externalSystem?: {
          /** The external system */
          readonly itsyId: number | string
        } | null | undefined
        /** The queue: the team whose agents take the calls */
        readonly queue?: {
          /** The team whose agents take the calls */
          readonly ucquId: number | string
        } | null | undefined
        /** The number that callees see: + and digits. Limits are those of the answer; null resets it to the default. */
        readonly callerId?: unknown | undefined
        /** A carrier of the set-up, by its name. Limits are those of the answer; null resets it to the default. */
        readonly trunk?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly dialMode?: unknown | undefined
        /** Numbers of one call task that are rung at once. Limits are those of the answer; null resets it to the default. */
        readonly parallelCalls?: unknown | undefined
        /** Lines for each idle agent, in mode power. Limits are those of the answer; null resets it to the default. */
        readonly linesPerAgent?: unknown | undefined
        /** How mode predictive decides: policy E, algorithm B or algorithm A; price if absent. Limits are those of the answer; null resets it to the default. */
        readonly pacing?: unknown | undefined
        /** Another way that is only watched: what it would have dialed is shown beside what was. Limits are those of the answer; null resets it to the default. */
        readonly shadowPacing?: unknown | undefined
        /** Lines for each agent, whatever the mode. Limits are those of the answer; null resets it to the default. */
        readonly linesPerAgentMax?: unknown | undefined
        /** Abandoned calls of a day per answered one: 3 % at most, and 3 % where no ledgers are set. Limits are those of the answer; null resets it to the default. */
        readonly maxAbandonRate?: unknown | undefined
        /** Further limits on abandoned calls, or others than that of a day: all of them hold at once. Limits are those of the answer; null resets it to the default. */
        readonly ledgers?: unknown | undefined
        /** A phone is left ringing 15 s at least. Limits are those of the answer; null resets it to the default. */
        readonly ringTimeoutSeconds?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly wrapUpMode?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly wrapUpSeconds?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly callWindows?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly holidayCalendar?: unknown | undefined
        /** Further dates on which nobody is called. Limits are those of the answer; null resets it to the default. */
        readonly holidays?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly machineDetection?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly recording?: unknown | undefined
        /** What is said to a person for whom no agent is free, and to a machine. Limits are those of the answer; null resets it to the default. */
        readonly messages?: unknown | undefined
        /** Countries (ISO 3166-1) that may be called; the country of the caller id when absent. Limits are those of the answer; null resets it to the default. */
        readonly allowedDestinations?: unknown | undefined
        /** Calls to one person in any so many days, over all campaigns. Limits are those of the answer; null resets it to the default. */
        readonly frequencyCap?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly afterDropped?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly skipInvalidNumbers?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly dropStoppedNumbers?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly feedbackQuarantineDays?: unknown | undefined
        /** Limits are those of the answer; null resets it to the default. */
        readonly requiresPopup?: unknown | undefined
      })[] | undefined
    }
    readonly answer: {
      /** Code of a campaign */
      readonly callCode: number
      /** Name as people see it */
      readonly name: string
      /** Whether it is in use */
      readonly active: boolean
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** The external system it belongs to */
      readonly externalSystem: {
        /** Id of an external system */
        readonly itsyId: number
        /** Code of an external system */
        readonly systemCode: string | null
      } | null
      /** The queue: the team whose agents take the calls */
      readonly queue: {
        /** Id of a queue */
        readonly ucquId: number | null
        /** Name as people see it */
        readonly name: string
      } | null
      /** Why the dialer paused the campaign, such as too many failed calls; active: true resumes it. Null otherwise. */
      readonly pausedReason: string | null
      /** Whether it can dial and accepts call tasks. */
      readonly ready: boolean
      /** The settings that are missing; empty if the campaign is ready. */
      readonly missing: readonly (string)[]
      /** When it was created. */
      readonly creationTs: string | null
      /** When it was last changed. */
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
      /** What happens after a talk */
      readonly wrapUpMode?: "timed" | "byHand"
      /** Rest after a talk */
      readonly wrapUpSeconds?: number
      /** When calls may be placed */
      readonly callWindows?: readonly ({
        /** 1 is Monday, 7 is Sunday. */
        readonly days: readonly (number)[]
        /** Wall time where the callee lives, such as 08:00. */
        readonly from: string
        /** Up to but without this minute; 24:00 is midnight. */
        readonly to: string
        /** An IANA zone; the same one in all windows. */
        readonly timeZone?: string
      })[]
      /** Whose holidays count */
      readonly holidayCalendar?: "DK" | "none"
      /** Further dates on which nobody is called. */
      readonly holidays?: readonly (string)[]
      /** What is done about machines that answer */
      readonly machineDetection?: {
        /** Whether it is done */
        readonly enabled: boolean
        /** What is done */
        readonly action?: "hangup" | "leaveMessage"
      }
      /** Whether calls are recorded */
      readonly recording?: {
        /** When it is done */
        readonly mode: "off" | "consent" | "always"
        /** What is said before */
        readonly announcement?: string
        /** False: not written down, also where the installation does so. True if absent. */
        readonly transcribe?: boolean
        /** Language of the words, as BCP 47 writes it */
        readonly language?: string
      }
      /** What is said to a person for whom no agent is free, and to a machine. */
      readonly messages?: {
        /** Whether a person answered, and no agent was there */
        readonly dropped?: {
          /** The text */
          readonly text: string
          /** Language of the words, as BCP 47 writes it */
          readonly language?: string
        }
        /** What is said to somebody who was called for nothing */
        readonly apology?: {
          /** The text */
          readonly text: string
          /** Language of the words, as BCP 47 writes it */
          readonly language?: string
        }
        /** Whether a machine answered */
        readonly voicemail?: {
          /** The text */
          readonly text: string
          /** Language of the words, as BCP 47 writes it */
          readonly language?: string
        }
      }
      /** Countries (ISO 3166-1) that may be called; the country of the caller id when absent. */
      readonly allowedDestinations?: readonly (string)[]
      /** Calls to one person in any so many days, over all campaigns. */
      readonly frequencyCap?: {
        /** Most calls */
        readonly calls: number
        /** Days */
        readonly days: number
        /** Days without a call after a talk */
        readonly quietDaysAfterTalk?: number
      }
      /** What is done after a dropped call */
      readonly afterDropped?: "quietAndAgent" | "quietOrAgent"
      /** Imports a call task without its invalid numbers */
      readonly skipInvalidNumbers?: boolean
      /** Imports a call task without its stopped numbers */
      readonly dropStoppedNumbers?: boolean
      /** Days in which a final feedback forbids an import */
      readonly feedbackQuarantineDays?: number
      /** Whether the external system must have a page */
      readonly requiresPopup?: boolean
    } | {
      /** Campaigns */
      readonly callCodes: readonly ({
        /** Code of a campaign */
        readonly callCode: number
        /** Name as people see it */
        readonly name: string
        /** Whether it is in use */
        readonly active: boolean
        /** Whose it is */
        readonly corporation: {
          /** Id of a corporation */
          readonly corpId: number
        }
        /** The external system it belongs to */
        readonly externalSystem: {
          /** Id of an external system */
          readonly itsyId: number
          /** Code of an external system */
          readonly systemCode: string | null
        } | null
        /** The queue: the team whose agents take the calls */
        readonly queue: {
          /** Id of a queue */
          readonly ucquId: number | null
          /** Name as people see it */
          readonly name: string
        } | null
        /** Why the dialer paused the campaign, such as too many failed calls; active: true resumes it. Null otherwise. */
        readonly pausedReason: string | null
        /** Whether it can dial and accepts call tasks. */
        readonly ready: boolean
        /** The settings that are missing; empty if the campaign is ready. */
        readonly missing: readonly (string)[]
        /** When it was created. */
        readonly creationTs: string | null
        /** When it was last changed. */
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
        /** What happens after a talk */
        readonly wrapUpMode?: "timed" | "byHand"
        /** Rest after a talk */
        readonly wrapUpSeconds?: number
        /** When calls may be placed */
        readonly callWindows?: readonly ({
          /** 1 is Monday, 7 is Sunday. */
          readonly days: readonly (number)[]
          /** Wall time where the callee lives, such as 08:00. */
          readonly from: string
          /** Up to but without this minute; 24:00 is midnight. */
          readonly to: string
          /** An IANA zone; the same one in all windows. */
          readonly timeZone?: string
        })[]
        /** Whose holidays count */
        readonly holidayCalendar?: "DK" | "none"
        /** Further dates on which nobody is called. */
        readonly holidays?: readonly (string)[]
        /** What is done about machines that answer */
        readonly machineDetection?: {
          /** Whether it is done */
          readonly enabled: boolean
          /** What is done */
          readonly action?: "hangup" | "leaveMessage"
        }
        /** Whether calls are recorded */
        readonly recording?: {
          /** When it is done */
          readonly mode: "off" | "consent" | "always"
          /** What is said before */
          readonly announcement?: string
          /** False: not written down, also where the installation does so. True if absent. */
          readonly transcribe?: boolean
          /** Language of the words, as BCP 47 writes it */
          readonly language?: string
        }
        /** What is said to a person for whom no agent is free, and to a machine. */
        readonly messages?: {
          /** Whether a person answered, and no agent was there */
          readonly dropped?: {
            /** The text */
            readonly text: string
            /** Language of the words, as BCP 47 writes it */
            readonly language?: string
          }
          /** What is said to somebody who was called for nothing */
          readonly apology?: {
            /** The text */
            readonly text: string
            /** Language of the words, as BCP 47 writes it */
            readonly language?: string
          }
          /** Whether a machine answered */
          readonly voicemail?: {
            /** The text */
            readonly text: string
            /** Language of the words, as BCP 47 writes it */
            readonly language?: string
          }
        }
        /** Countries (ISO 3166-1) that may be called; the country of the caller id when absent. */
        readonly allowedDestinations?: readonly (string)[]
        /** Calls to one person in any so many days, over all campaigns. */
        readonly frequencyCap?: {
          /** Most calls */
          readonly calls: number
          /** Days */
          readonly days: number
          /** Days without a call after a talk */
          readonly quietDaysAfterTalk?: number
        }
        /** What is done after a dropped call */
        readonly afterDropped?: "quietAndAgent" | "quietOrAgent"
        /** Imports a call task without its invalid numbers */
        readonly skipInvalidNumbers?: boolean
        /** Imports a call task without its stopped numbers */
        readonly dropStoppedNumbers?: boolean
        /** Days in which a final feedback forbids an import */
        readonly feedbackQuarantineDays?: number
        /** Whether the external system must have a page */
        readonly requiresPopup?: boolean
      })[]
    }
  }
  /** The campaigns. */
  readonly 'GET /dialer/callcode': {
    readonly query?: {
      /** Code of a campaign */
      readonly callCode?: readonly (number | string)[] | undefined
      /** Whether it is in use */
      readonly active?: boolean | undefined
      /** A part of the name. */
      readonly name?: string | undefined
      /** Rows of a page: 50 when absent, 1000 when 0 or less, 50000 at the most. */
      readonly limit?: number | undefined
      /** From 1; 1 when absent. */
      readonly pageNumber?: number | undefined
    }
    readonly answer: {
      /** Campaigns */
      readonly callCodes: readonly ({
        /** Code of a campaign */
        readonly callCode: number
        /** Name as people see it */
        readonly name: string
        /** Whether it is in use */
        readonly active: boolean
        /** Whose it is */
        readonly corporation: {
          /** Id of a corporation */
          readonly corpId: number
        }
        /** The external system it belongs to */
        readonly externalSystem: {
          /** Id of an external system */
          readonly itsyId: number
          /** Code of an external system */
          readonly systemCode: string | null
        } | null
        /** The queue: the team whose agents take the calls */
        readonly queue: {
          /** Id of a queue */
          readonly ucquId: number | null
          /** Name as people see it */
          readonly name: string
        } | null
        /** Why the dialer paused the campaign, such as too many failed calls; active: true resumes it. Null otherwise. */
        readonly pausedReason: string | null
        /** Whether it can dial and accepts call tasks. */
        readonly ready: boolean
        /** The settings that are missing; empty if the campaign is ready. */
        readonly missing: readonly (string)[]
        /** When it was created. */
        readonly creationTs: string | null
        /** When it was last changed. */
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
        /** What happens after a talk */
        readonly wrapUpMode?: "timed" | "byHand"
        /** Rest after a talk */
        readonly wrapUpSeconds?: number
        /** When calls may be placed */
        readonly callWindows?: readonly ({
          /** 1 is Monday, 7 is Sunday. */
          readonly days: readonly (number)[]
          /** Wall time where the callee lives, such as 08:00. */
          readonly from: string
          /** Up to but without this minute; 24:00 is midnight. */
          readonly to: string
          /** An IANA zone; the same one in all windows. */
          readonly timeZone?: string
        })[]
        /** Whose holidays count */
        readonly holidayCalendar?: "DK" | "none"
        /** Further dates on which nobody is called. */
        readonly holidays?: readonly (string)[]
        /** What is done about machines that answer */
        readonly machineDetection?: {
          /** Whether it is done */
          readonly enabled: boolean
          /** What is done */
          readonly action?: "hangup" | "leaveMessage"
        }
        /** Whether calls are recorded */
        readonly recording?: {
          /** When it is done */
          readonly mode: "off" | "consent" | "always"
          /** What is said before */
          readonly announcement?: string
          /** False: not written down, also where the installation does so. True if absent. */
          readonly transcribe?: boolean
          /** Language of the words, as BCP 47 writes it */
          readonly language?: string
        }
        /** What is said to a person for whom no agent is free, and to a machine. */
        readonly messages?: {
          /** Whether a person answered, and no agent was there */
          readonly dropped?: {
            /** The text */
            readonly text: string
            /** Language of the words, as BCP 47 writes it */
            readonly language?: string
          }
          /** What is said to somebody who was called for nothing */
          readonly apology?: {
            /** The text */
            readonly text: string
            /** Language of the words, as BCP 47 writes it */
            readonly language?: string
          }
          /** Whether a machine answered */
          readonly voicemail?: {
            /** The text */
            readonly text: string
            /** Language of the words, as BCP 47 writes it */
            readonly language?: string
          }
        }
        /** Countries (ISO 3166-1) that may be called; the country of the caller id when absent. */
        readonly allowedDestinations?: readonly (string)[]
        /** Calls to one person in any so many days, over all campaigns. */
        readonly frequencyCap?: {
          /** Most calls */
          readonly calls: number
          /** Days */
          readonly days: number
          /** Days without a call after a talk */
          readonly quietDaysAfterTalk?: number
        }
        /** What is done after a dropped call */
        readonly afterDropped?: "quietAndAgent" | "quietOrAgent"
        /** Imports a call task without its invalid numbers */
        readonly skipInvalidNumbers?: boolean
        /** Imports a call task without its stopped numbers */
        readonly dropStoppedNumbers?: boolean
        /** Days in which a final feedback forbids an import */
        readonly feedbackQuarantineDays?: number
        /** Whether the external system must have a page */
        readonly requiresPopup?: boolean
      })[]
      /** Matches on all pages together. */
      readonly foundRows: number
      /** From 1; 0 for a page without rows. */
      readonly firstRow: number
      /** From 1; 0 for a page without rows */
      readonly lastRow: number
      /** Pages of this limit. */
      readonly pageCount: number
    }
  }
  /** The three budgets of a campaign, day by day. */
  readonly 'GET /dialer/callcode/{callCode}/budgets': {
    readonly params: {
      /** The campaign */
      readonly callCode: number | string
    }
    readonly query?: {
      /** Number of days, including today; default 30. */
      readonly days?: number | undefined
    }
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
  /** Forecast of a day of a campaign. */
  readonly 'POST /dialer/callcode/{callCode}/forecast': {
    readonly params: {
      /** The campaign */
      readonly callCode: number | string
    }
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
      readonly occupancyPct: {
        /** Mean of the days. */
        readonly mean: number
        /** Lower bound of the 95 % interval. */
        readonly low: number
        /** Upper bound of the 95 % interval. */
        readonly high: number
      }
      /** Abandoned calls, in percent of the calls that persons answered. */
      readonly abandonedPct: {
        /** Mean of the days. */
        readonly mean: number
        /** Lower bound of the 95 % interval. */
        readonly low: number
        /** Upper bound of the 95 % interval. */
        readonly high: number
      }
      /** Conversations per day. */
      readonly conversations: {
        /** Mean of the days. */
        readonly mean: number
        /** Lower bound of the 95 % interval. */
        readonly low: number
        /** Upper bound of the 95 % interval. */
        readonly high: number
      }
      /** Dialed lines per day. */
      readonly dials: {
        /** Mean of the days. */
        readonly mean: number
        /** Lower bound of the 95 % interval. */
        readonly low: number
        /** Upper bound of the 95 % interval. */
        readonly high: number
      }
      /** Mean time that an agent waits for a call, in seconds. */
      readonly idleMeanS: number
      /** Time during which abandonment exceeded the limit, in percent of the day. */
      readonly timeAboveCapPct: number
      /** Open call tasks that are due today or on the next day with call windows. */
      readonly dueTasks: number
      /** Hours until each due call task was tried once; null if nothing is dialed. */
      readonly hoursForDueTasks: {
        /** Mean of the days. */
        readonly mean: number
        /** Lower bound of the 95 % interval. */
        readonly low: number
        /** Upper bound of the 95 % interval. */
        readonly high: number
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
  /** Search call tasks. */
  readonly 'POST /dialer/calltaskget': {
    readonly body?: {
      /** Case numbers in the external system. */
      readonly systemLookupCodes?: readonly (string)[] | undefined
      /** Customers of the external system. */
      readonly extCustIds?: readonly (string)[] | undefined
      /** Call tasks. */
      readonly itcaIds?: readonly (number)[] | undefined
      /** Campaigns: objects with a callCode, or numbers. */
      readonly callCodes?: readonly ({
        /** Code of a campaign */
        readonly callCode: number
      } | number)[] | undefined
      /** Status codes. */
      readonly statusList?: readonly (number)[] | undefined
      /** Whether a conversation took place. */
      readonly answeredList?: readonly (boolean)[] | undefined
      /** Whether it is finished. */
      readonly finishedList?: readonly (boolean)[] | undefined
      /** Telephone numbers, in any format. */
      readonly callNumbers?: readonly (string)[] | undefined
      /** Whether a callback is scheduled. */
      readonly hasCallBackDate?: boolean | undefined
      /** Corporations. Our addition, like all following filters. */
      readonly corporationIds?: readonly (number)[] | undefined
      /** Assigned users. */
      readonly assignedUserIds?: readonly (number)[] | undefined
      /** External systems. */
      readonly systemCodes?: readonly (string)[] | undefined
      /** Types of feedback that agents gave. */
      readonly feedbackTypeIds?: readonly (string)[] | undefined
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
      /** The same fields, one level deeper; both ways of writing are taken */
      readonly filter?: {
        /** Case numbers in the external system. */
        readonly systemLookupCodes?: readonly (string)[] | undefined
        /** Customers of the external system. */
        readonly extCustIds?: readonly (string)[] | undefined
        /** Call tasks. */
        readonly itcaIds?: readonly (number)[] | undefined
        /** Campaigns: objects with a callCode, or numbers. */
        readonly callCodes?: readonly ({
          /** Code of a campaign */
          readonly callCode: number
        } | number)[] | undefined
        /** Status codes. */
        readonly statusList?: readonly (number)[] | undefined
        /** Whether a conversation took place. */
        readonly answeredList?: readonly (boolean)[] | undefined
        /** Whether it is finished. */
        readonly finishedList?: readonly (boolean)[] | undefined
        /** Telephone numbers, in any format. */
        readonly callNumbers?: readonly (string)[] | undefined
        /** Whether a callback is scheduled. */
        readonly hasCallBackDate?: boolean | undefined
        /** Corporations. Our addition, like all following filters. */
        readonly corporationIds?: readonly (number)[] | undefined
        /** Assigned users. */
        readonly assignedUserIds?: readonly (number)[] | undefined
        /** External systems. */
        readonly systemCodes?: readonly (string)[] | undefined
        /** Types of feedback that agents gave. */
        readonly feedbackTypeIds?: readonly (string)[] | undefined
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
      /** Rows of a page: 50 when absent, 1000 when 0 or less, 50000 at the most. */
      readonly limit?: number | undefined
      /** From 1; 1 when absent. */
      readonly pageNumber?: number | undefined
      /** One of itcaId, callReceiverName, creationTs, updateTs, nextCallTs, lastCallTs, callBackTs, statusId, callAttemptCount; " desc" sorts in descending order. */
      readonly sort?: string | undefined
      /** Returns each call task in full. */
      readonly detail?: boolean | undefined
    }
    readonly answer: {
      /** Call tasks of this page */
      readonly callTasks: readonly ({
        /** Place in the submitted list; in answers to an import. */
        readonly callTaskIndex?: number
        /** Id of a call task */
        readonly itcaId: number
        /** Id of the campaign. */
        readonly callCode: number
        /** Name of the receiver */
        readonly callReceiverName: string
        /** Customer in the external system */
        readonly extCustId: string | null
        /** Case number in the external system */
        readonly systemLookupCode: string | null
        /** 1 NEW, 2 READY, 3 RESERVED, 4 DIALING, 5 IN_CALL, 6 WAITING, 7 CALLBACK, 8 PAUSED, 20 ANSWERED, 21 MAX_ATTEMPTS, 22 ENDED_BY_SYSTEM, 23 ENDED_BY_USER, 24 STOPPED, 25 EXPIRED, 26 NO_CALLABLE_NUMBER */
        readonly statusId: number
        /** Whether it is over for good */
        readonly finished: boolean
        /** Whether a person was talked to */
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
        /** Numbers to dial, the first one first */
        readonly callNumberList?: readonly ({
          /** As it was imported. */
          readonly number: string
          /** The same number in international form */
          readonly e164: string
          /** From 0. */
          readonly position: number
          /** Whether it stands on the stop list */
          readonly stopped: boolean
        })[]
        /** Information fields and their values */
        readonly properties?: readonly ({
          /** Id of an information field; under priority, of a priority */
          readonly emprId: number
          /** Name as people see it */
          readonly name: string
          /** The value */
          readonly value: string
        })[]
        /** Most unanswered attempts */
        readonly maxCallAttempts?: number
        /** Fewest hours between two attempts */
        readonly minCallIntervalHours?: number
        /** The external system it belongs to */
        readonly externalSystem?: {
          /** Id of an external system */
          readonly itsyId: number
          /** Code of an external system */
          readonly systemCode: string
        } | null
        /** Whose it is */
        readonly corporation?: {
          /** Id of a corporation */
          readonly corpId: number
        }
        /** Who is to take care of it */
        readonly assignedUser?: {
          /** Id of a user */
          readonly userId: number
          /** Name as people see it */
          readonly name: string
        } | null
        /** When it was last dialed. */
        readonly lastCallTs?: string | null
        /** The last attempt */
        readonly lastAttempt?: {
          /** Id of a call attempt */
          readonly iccaId: number
          /** Code of the result */
          readonly result: number
        } | null
        /** When it was finished. */
        readonly finishedTs?: string | null
        /** Why it was finished, in words */
        readonly finishReason?: string | null
        /** Id of an import */
        readonly importId?: string | null
        /** Attempts, the first one first */
        readonly callAttempts?: readonly ({
          /** Id of a call attempt */
          readonly iccaId: number
          /** Id of a call task */
          readonly itcaId: number
          /** Code of a campaign */
          readonly callCode: number
          /** The call activity; it can be looked up when the call has ended. */
          readonly eactId: number
          /** From 1. */
          readonly attemptNo: number
          /** The number of the other side */
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
          /** Name of the result */
          readonly resultName: string
          /** A person answered and was connected to an agent. At most one of the four results is true. */
          readonly answered: boolean
          /** Whether a machine answered */
          readonly voicemail: boolean
          /** A person answered, and no agent was available. */
          readonly dropped: boolean
          /** The callee hung up before an agent was available. */
          readonly lost: boolean
          /** Why it ended, as Q.850 numbers it */
          readonly hangupCause: number | null
          /** What the carrier answered */
          readonly sipStatus: number | null
          /** The agent; null when there was none */
          readonly agent: {
            /** Id of a user */
            readonly userId: number | null
            /** Name as people see it */
            readonly name: string
          } | null
          /** So long it rang */
          readonly ringSeconds: number | null
          /** So long they talked */
          readonly talkSeconds: number
        })[]
      })[]
      /** Matches on all pages together. */
      readonly foundRows: number
      /** From 1; 0 for a page without rows. */
      readonly firstRow: number
      /** From 1; 0 for a page without rows */
      readonly lastRow: number
      /** Pages of this limit. */
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
      /** Why, in words */
      readonly reason?: string | undefined
      /** Why it was ended */
      readonly reasonCode?: "PAID" | "WITHDRAWN" | "DISPUTED" | "OTHER" | undefined
    }
    readonly answer: {
      /** Id of a call task */
      readonly itcaId: number
      /** Code of the status */
      readonly statusId: number
      /** Whether it is over for good */
      readonly finished: boolean
      /** Whether a person was talked to */
      readonly answered: boolean
      /** When it was finished. */
      readonly finishedTs: string | null
      /** False if the call task was already finished. */
      readonly changed: boolean
      /** The eactId of a conversation that continues; null if there is none. */
      readonly activeCall: number | null
    }
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
      /** Rows of a page: 50 when absent, 1000 when 0 or less, 50000 at the most. */
      readonly limit?: number | undefined
      /** From 1; 1 when absent. */
      readonly pageNumber?: number | undefined
    }
    readonly answer: {
      /** Attempts, the first one first */
      readonly callAttempts: readonly ({
        /** Id of a call attempt */
        readonly iccaId: number
        /** Id of a call task */
        readonly itcaId: number
        /** Code of a campaign */
        readonly callCode: number
        /** The call activity; it can be looked up when the call has ended. */
        readonly eactId: number
        /** From 1. */
        readonly attemptNo: number
        /** The number of the other side */
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
        /** Name of the result */
        readonly resultName: string
        /** A person answered and was connected to an agent. At most one of the four results is true. */
        readonly answered: boolean
        /** Whether a machine answered */
        readonly voicemail: boolean
        /** A person answered, and no agent was available. */
        readonly dropped: boolean
        /** The callee hung up before an agent was available. */
        readonly lost: boolean
        /** Why it ended, as Q.850 numbers it */
        readonly hangupCause: number | null
        /** What the carrier answered */
        readonly sipStatus: number | null
        /** The agent; null when there was none */
        readonly agent: {
          /** Id of a user */
          readonly userId: number | null
          /** Name as people see it */
          readonly name: string
        } | null
        /** So long it rang */
        readonly ringSeconds: number | null
        /** So long they talked */
        readonly talkSeconds: number
      })[]
      /** Matches on all pages together. */
      readonly foundRows: number
      /** From 1; 0 for a page without rows. */
      readonly firstRow: number
      /** From 1; 0 for a page without rows */
      readonly lastRow: number
      /** Pages of this limit. */
      readonly pageCount: number
    }
  }
  /** Look up calls by the ids of their activities. */
  readonly 'POST /svcems/calls/search': {
    readonly body: {
      /** Strings or numbers; unknown ids are ignored. */
      readonly eactIds: readonly (number | string)[]
    }
    readonly answer: readonly ({
      /** Id of the call activity; all activities share one number space. */
      readonly eactId: number
      /** Which kind of activity it is */
      readonly activityType: {
        /** Kind of activity: 10 call, 11 email, 15 case, 21 email conversation */
        readonly eatyId: 10
      }
      /** 1 in, 2 out */
      readonly direction: number
      /** The caller, as presented to the other side. */
      readonly callNumber: string
      /** The number that was called */
      readonly calledNumber: string
      /** When the call began. */
      readonly creationTs: string | null
      /** When it started to ring. */
      readonly ringTs: string | null
      /** When it was answered; null if it was not answered. */
      readonly startTs: string | null
      /** When it ended. */
      readonly endTs: string | null
      /** So long they talked */
      readonly talkSeconds: number
      /** So long the caller waited */
      readonly waitSeconds: number
      /** Code of the result */
      readonly result: number | null
      /** Name of the result */
      readonly resultName: string | null
      /** The agent; null when there was none */
      readonly agent: {
        /** Id of a user */
        readonly userId: number | null
        /** Name as people see it */
        readonly name: string
      } | null
      /** The queue: the team whose agents take the calls */
      readonly queue: {
        /** Id of a queue */
        readonly ucquId: number | null
        /** Name as people see it */
        readonly name: string
      } | null
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** The contact; null if it is unknown. */
      readonly entityExtension: {
        /** Id of what a contact is to us, such as a customer */
        readonly eeexId: number
      } | null
      /** Absent if the call belongs to no external system. */
      readonly externalSystem?: {
        /** Id of an external system */
        readonly itsyId: number
        /** Code of an external system */
        readonly systemCode: string
      }
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
      readonly recordings: readonly ({
        /** Id of a recording; transcripts are searched by it */
        readonly pcreId: number
        /** Start of the recording */
        readonly startTs: string | null
        /** End of the recording */
        readonly endTs: string | null
        /** The file; null if recording failed */
        readonly cfreId: number | null
      })[]
      /** Why it ended, as Q.850 numbers it */
      readonly hangupCause: number | null
      /** Who hung up */
      readonly hangupBy: string | null
      /** none, pending, ready, failed */
      readonly summaryStatus: string
    })[]
  }
  /** The stop list of numbers. */
  readonly 'GET /dialer/stoplist/numbers': {
    readonly query?: {
      /** Rows of a page: 50 when absent, 1000 when 0 or less, 50000 at the most. */
      readonly limit?: number | undefined
      /** From 1; 1 when absent. */
      readonly pageNumber?: number | undefined
    }
    readonly answer: {
      /** Telephone numbers */
      readonly numbers: readonly ({
        /** Telephone number */
        readonly number: string
        /** Whose it is */
        readonly corporation: {
          /** Id of a corporation */
          readonly corpId: number
        }
        /** Why, in words */
        readonly reason: string | null
        /** Who put it on the list */
        readonly addedBy: string | null
        /** When it was added. */
        readonly creationTs: string | null
      })[]
      /** Matches on all pages together. */
      readonly foundRows: number
      /** From 1; 0 for a page without rows. */
      readonly firstRow: number
      /** From 1; 0 for a page without rows */
      readonly lastRow: number
      /** Pages of this limit. */
      readonly pageCount: number
    }
  }
  /** Put numbers on the stop list. */
  readonly 'POST /dialer/stoplist/numbers': {
    readonly body: {
      /** Telephone numbers in any format; a number without + belongs to the countries of the campaigns. */
      readonly numbers: readonly (string)[]
      /** Why, in words */
      readonly reason?: string | undefined
      /** Whose it is */
      readonly corporation?: {
        /** Default: the first corporation of the credential */
        readonly corpId: number | string
      } | undefined
    }
    readonly answer: {
      /** Number of given entries, which are now on the list. */
      readonly count: number
    }
  }
  /** Take numbers off the stop list. */
  readonly 'DELETE /dialer/stoplist/numbers': {
    readonly query: {
      /** Telephone numbers in any format; a number without + belongs to the countries of the campaigns. */
      readonly numbers: readonly (string)[]
      /** Default: the first corporation of the credential */
      readonly corpId?: number | string | undefined
    }
    readonly answer: {
      /** Number of removed entries. */
      readonly count: number
    }
  }
  /** The stop list of customers of external systems. */
  readonly 'GET /dialer/stoplist/persons': {
    readonly query?: {
      /** Rows of a page: 50 when absent, 1000 when 0 or less, 50000 at the most. */
      readonly limit?: number | undefined
      /** From 1; 1 when absent. */
      readonly pageNumber?: number | undefined
    }
    readonly answer: {
      /** Customers of external systems */
      readonly persons: readonly ({
        /** Code of an external system */
        readonly systemCode: string | null
        /** Customer in the external system */
        readonly extCustId: string
        /** Whose it is */
        readonly corporation: {
          /** Id of a corporation */
          readonly corpId: number
        }
        /** Why, in words */
        readonly reason: string | null
        /** Who put it on the list */
        readonly addedBy: string | null
        /** When it was added. */
        readonly creationTs: string | null
      })[]
      /** Matches on all pages together. */
      readonly foundRows: number
      /** From 1; 0 for a page without rows. */
      readonly firstRow: number
      /** From 1; 0 for a page without rows */
      readonly lastRow: number
      /** Pages of this limit. */
      readonly pageCount: number
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
      /** Why, in words */
      readonly reason?: string | undefined
      /** Whose it is */
      readonly corporation?: {
        /** Default: the first corporation of the credential */
        readonly corpId: number | string
      } | undefined
    }
    readonly answer: {
      /** Number of given entries, which are now on the list. */
      readonly count: number
    }
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
    readonly answer: {
      /** Number of removed entries. */
      readonly count: number
    }
  }
  /** Whether all dialing is stopped. */
  readonly 'GET /dialer/killswitch': {
    readonly answer: {
      /** Whether it is turned on */
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
  }
  /** Stop all dialing, or resume it. */
  readonly 'PUT /dialer/killswitch': {
    readonly body: {
      /** Whether it is turned on */
      readonly on: boolean
      /** The word that the first answer gave */
      readonly confirm?: string | undefined
    }
    readonly answer: {
      /** Whether it is turned on */
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
        /** Name as people see it */
        readonly name: string
        /** When it is done */
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
          /** The reason of the pacer, in one word. */
          readonly why: string
          /** The figures of the decision, by name. */
          readonly weighed?: Readonly<Record<string, unknown>>
        }
        /** Why the last refused call task was not dialed. */
        readonly refused: string | null
        /** Allowed and actual abandonment. */
        readonly ledgers: readonly ({
          /** Name as people see it */
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
        }
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
      })[]
    }
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
    readonly answer: readonly ({
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
    })[]
  }
  /** Correct the summary of a call. */
  readonly 'PUT /rest/svcems/activity-summary/{eactId}': {
    readonly params: {
      /** The call activity */
      readonly eactId: number | string
    }
    readonly body: {
      /** The new text, as plain text; it must not be blank. */
      readonly text: string
      /** The version that was read. */
      readonly version: number
    }
    readonly answer: {
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
  }
  /** Look up the transcripts of recordings. */
  readonly 'POST /rest/core/transcript/search': {
    readonly body: {
      /** Recordings without a transcript are left out. */
      readonly referenceIds: readonly (number | string)[]
      /** 21001 (default): phone call recordings; other tables have no transcripts. */
      readonly referenceTables?: readonly ({
        /** Its id */
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
      /** What the id is of: 21001 is recordings */
      readonly referenceTable: {
        /** Its id */
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
        /** Channel of the recording, from 0. */
        readonly channel: number
        /** agent, customer, system; null if both sides share one channel. */
        readonly speaker: string | null
        /** Milliseconds from the beginning of the recording. */
        readonly startMs: number
        /** From the beginning of the recording, in milliseconds */
        readonly endMs: number
        /** Plain text. */
        readonly text: string
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
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
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
      /** Telephone numbers */
      readonly numbers: readonly ({
        /** As it was imported. */
        readonly number: string
        /** In international form; null if it is not a telephone number. */
        readonly e164: string | null
        /** mobile, home, work, other */
        readonly type: string
        /** Whether it is the first to try */
        readonly primary: boolean
        /** The number is on the stop list. */
        readonly stopped: boolean
      })[]
    })[]
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
      readonly corporation?: {
        /** One of the corporations of the credential */
        readonly corpId: number | string
      } | undefined
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
      readonly queue?: {
        /** The queue */
        readonly ucquId: number | string
      } | null | undefined
      /** The subject of the case; null clears */
      readonly category?: {
        /** The category */
        readonly ctnoId: number | string
      } | null | undefined
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
      /** Id of an activity: a call, an email, a conversation, a case */
      readonly eactId: number
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Which kind of activity it is */
      readonly activityType: {
        /** Always 15 */
        readonly eatyId: 15
        /** Name as people see it */
        readonly name: "case"
      }
      /** Number that people say: of a case, of a customer */
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
      readonly creator: {
        /** Id of a user */
        readonly userId: number
        /** Name to sign on with */
        readonly userName: string
        /** Name as people see it */
        readonly name: string
      } | null
      /** The contact that the case belongs to */
      readonly entityExtension: {
        /** Id of what a contact is to us, such as a customer */
        readonly eeexId: number
      } | null
      /** The subject of the case */
      readonly category: {
        /** Id of a category */
        readonly ctnoId: number
        /** The category above it; null at the top */
        readonly parent: {
          /** Id of a category */
          readonly ctnoId: number
        } | null
        /** Name as people see it */
        readonly name: string
        /** False: existing cases keep it, and it cannot be given to others */
        readonly active: boolean
        /** Place in a list, the lowest first */
        readonly sortOrder: number
      } | null
      /** The priority */
      readonly priority: {
        /** Id of the priority */
        readonly emprId: number
        /** Id of a priority; the same value as emprId */
        readonly empriId: number
        /** The higher the more urgent */
        readonly level: number
        /** Whether it is taken where none is given */
        readonly default: boolean
        /** Colour on screens */
        readonly color: string | null
        /** Name as people see it */
        readonly name: string
        /** False: existing cases keep it, and it cannot be given to others */
        readonly active: boolean
        /** Place in a list, the lowest first */
        readonly sortOrder: number
      }
      /** The status that users defined; its internal status says how the case behaves */
      readonly emsStatus: {
        /** Id of a status that users defined */
        readonly emstId: number
        /** 1 open, 2 closed, 3 awaiting external action, 4 deleted, 5 merged, 6 spam, 7 awaiting internal action, 8 on hold */
        readonly internalStatus: number
        /** Whether it is taken where none is given */
        readonly default: boolean
        /** Colour on screens */
        readonly color: string | null
        /** Name as people see it */
        readonly name: string
        /** False: existing cases keep it, and it cannot be given to others */
        readonly active: boolean
        /** Place in a list, the lowest first */
        readonly sortOrder: number
      }
      /** Last change of the status */
      readonly emsStatusChangeTs: string | null
      /** The last open status: where the case returns to */
      readonly emsStatusLastOpen: {
        /** Id of a status that users defined */
        readonly emstId: number
        /** 1 open, 2 closed, 3 awaiting external action, 4 deleted, 5 merged, 6 spam, 7 awaiting internal action, 8 on hold */
        readonly internalStatus: number
        /** Whether it is taken where none is given */
        readonly default: boolean
        /** Colour on screens */
        readonly color: string | null
        /** Name as people see it */
        readonly name: string
        /** False: existing cases keep it, and it cannot be given to others */
        readonly active: boolean
        /** Place in a list, the lowest first */
        readonly sortOrder: number
      }
      /** Last communication from us, such as a sent email or a comment */
      readonly internalUpdateTs: string | null
      /** Last communication from outside, such as a received email */
      readonly externalUpdateTs: string | null
      /** Deadline of the case */
      readonly deadlineTs: string | null
      /** The team that works on the case */
      readonly queue: {
        /** Id of a queue */
        readonly ucquId: number
        /** Name as people see it */
        readonly name: string
      } | null
      /** End of the hold */
      readonly onHoldToTs: string | null
      /** Why it is on hold, in words */
      readonly onHoldComment: string | null
      /** The case that it was merged into; null for all others */
      readonly mergedTo: {
        /** Id of an activity: a call, an email, a conversation, a case */
        readonly eactId: number
      } | null
      /** Who is involved, since when and until when */
      readonly members: readonly ({
        /** 1 assigned user, 2 follower, 20 contact */
        readonly role: number
        /** When the role began */
        readonly startTs: string | null
        /** When the role ended; null while it lasts */
        readonly endTs: string | null
        /** The user; null for a contact */
        readonly user: {
          /** Id of a user */
          readonly userId: number
          /** Name to sign on with */
          readonly userName: string
          /** Name as people see it */
          readonly name: string
        } | null
        /** The contact; null for a user */
        readonly entityExtension: {
          /** Id of what a contact is to us, such as a customer */
          readonly eeexId: number
        } | null
      })[]
      /** Links from and to other activities */
      readonly links: readonly ({
        /** 14 activity to case, 16 sub-case to case */
        readonly type: number
        /** Source of the link */
        readonly from: {
          /** Id of an activity: a call, an email, a conversation, a case */
          readonly eactId: number
        }
        /** Target of the link */
        readonly to: {
          /** Id of an activity: a call, an email, a conversation, a case */
          readonly eactId: number
        }
      })[]
      /** Comments */
      readonly texts: readonly ({
        /** Id of a comment */
        readonly textId: number
        /** HTML, cleaned of everything that could do harm */
        readonly text: string
        /** The case */
        readonly activity: {
          /** Id of an activity: a call, an email, a conversation, a case */
          readonly eactId: number
        }
        /** When it was written */
        readonly creationTs: string | null
        /** The user; null for a system without a user */
        readonly creator: {
          /** Id of a user */
          readonly userId: number
          /** Name to sign on with */
          readonly userName: string
          /** Name as people see it */
          readonly name: string
        } | null
        /** Only for us; nobody outside is shown it */
        readonly internal: boolean
        /** It came from outside, and may reopen the case */
        readonly external: boolean
      })[]
      /** What was changed, when and by whom */
      readonly logs: readonly ({
        /** What was changed: status, assigned user, follower, contact, title, link … */
        readonly what: string
        /** The value before; null for a new one */
        readonly oldValue: unknown
        /** The value after */
        readonly newValue: unknown
        /** The reason of an automatic change */
        readonly reason: string | null
        /** The user; null for a system without a user */
        readonly user: {
          /** Id of a user */
          readonly userId: number
          /** Name to sign on with */
          readonly userName: string
          /** Name as people see it */
          readonly name: string
        } | null
        /** When it was changed */
        readonly creationTs: string | null
      })[]
      /** Tags */
      readonly emsTags: readonly ({
        /** Its id */
        readonly id: number
        /** The tag */
        readonly name: string
      })[]
      /** Files */
      readonly coreFileReferences: readonly ({
        /** Id of a file, for GET /rest/core/corefile */
        readonly cfreId: number
        /** 1 inline image, 2 attachment, 3 uploaded, 17 content of an email */
        readonly type: number
        /** Name of the file */
        readonly fileName: string
        /** Its media type */
        readonly mimeType: string
        /** In bytes */
        readonly size: number
        /** When it was stored */
        readonly creationTs: string | null
      })[]
      /** Values that users defined */
      readonly propValues: readonly ({
        /** The information field */
        readonly emprId: number
        /** Name of the information field */
        readonly name: string
        /** Its value */
        readonly value: string
      })[]
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
      readonly statuses?: readonly (number)[] | undefined
      /** Statuses that users defined */
      readonly emstIds?: readonly (number | string)[] | undefined
      /** Queues */
      readonly ucquIds?: readonly (number | string)[] | undefined
      /** Contacts that cases belong to */
      readonly eeexIds?: readonly (number | string)[] | undefined
      /** Current assigned users */
      readonly assignedUserIds?: readonly (number | string)[] | undefined
      /** Changed at this instant or later */
      readonly updateTsFrom?: number | string | undefined
      /** Changed at this instant or earlier */
      readonly updateTsTo?: number | string | undefined
      /** A part of the title or of a comment */
      readonly text?: string | undefined
      /** First row of the window, from 0 */
      readonly limitFrom?: number | undefined
      /** First row after the window */
      readonly limitTo?: number | undefined
    }
    readonly answer: readonly ({
      /** Id of an activity: a call, an email, a conversation, a case */
      readonly eactId: number
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Which kind of activity it is */
      readonly activityType: {
        /** Always 15 */
        readonly eatyId: 15
        /** Name as people see it */
        readonly name: "case"
      }
      /** Number that people say: of a case, of a customer */
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
      readonly creator: {
        /** Id of a user */
        readonly userId: number
        /** Name to sign on with */
        readonly userName: string
        /** Name as people see it */
        readonly name: string
      } | null
      /** The contact that the case belongs to */
      readonly entityExtension: {
        /** Id of what a contact is to us, such as a customer */
        readonly eeexId: number
      } | null
      /** The subject of the case */
      readonly category: {
        /** Id of a category */
        readonly ctnoId: number
        /** The category above it; null at the top */
        readonly parent: {
          /** Id of a category */
          readonly ctnoId: number
        } | null
        /** Name as people see it */
        readonly name: string
        /** False: existing cases keep it, and it cannot be given to others */
        readonly active: boolean
        /** Place in a list, the lowest first */
        readonly sortOrder: number
      } | null
      /** The priority */
      readonly priority: {
        /** Id of the priority */
        readonly emprId: number
        /** Id of a priority; the same value as emprId */
        readonly empriId: number
        /** The higher the more urgent */
        readonly level: number
        /** Whether it is taken where none is given */
        readonly default: boolean
        /** Colour on screens */
        readonly color: string | null
        /** Name as people see it */
        readonly name: string
        /** False: existing cases keep it, and it cannot be given to others */
        readonly active: boolean
        /** Place in a list, the lowest first */
        readonly sortOrder: number
      }
      /** The status that users defined; its internal status says how the case behaves */
      readonly emsStatus: {
        /** Id of a status that users defined */
        readonly emstId: number
        /** 1 open, 2 closed, 3 awaiting external action, 4 deleted, 5 merged, 6 spam, 7 awaiting internal action, 8 on hold */
        readonly internalStatus: number
        /** Whether it is taken where none is given */
        readonly default: boolean
        /** Colour on screens */
        readonly color: string | null
        /** Name as people see it */
        readonly name: string
        /** False: existing cases keep it, and it cannot be given to others */
        readonly active: boolean
        /** Place in a list, the lowest first */
        readonly sortOrder: number
      }
      /** Last change of the status */
      readonly emsStatusChangeTs: string | null
      /** The last open status: where the case returns to */
      readonly emsStatusLastOpen: {
        /** Id of a status that users defined */
        readonly emstId: number
        /** 1 open, 2 closed, 3 awaiting external action, 4 deleted, 5 merged, 6 spam, 7 awaiting internal action, 8 on hold */
        readonly internalStatus: number
        /** Whether it is taken where none is given */
        readonly default: boolean
        /** Colour on screens */
        readonly color: string | null
        /** Name as people see it */
        readonly name: string
        /** False: existing cases keep it, and it cannot be given to others */
        readonly active: boolean
        /** Place in a list, the lowest first */
        readonly sortOrder: number
      }
      /** Last communication from us, such as a sent email or a comment */
      readonly internalUpdateTs: string | null
      /** Last communication from outside, such as a received email */
      readonly externalUpdateTs: string | null
      /** Deadline of the case */
      readonly deadlineTs: string | null
      /** The team that works on the case */
      readonly queue: {
        /** Id of a queue */
        readonly ucquId: number
        /** Name as people see it */
        readonly name: string
      } | null
      /** End of the hold */
      readonly onHoldToTs: string | null
      /** Why it is on hold, in words */
      readonly onHoldComment: string | null
      /** The case that it was merged into; null for all others */
      readonly mergedTo: {
        /** Id of an activity: a call, an email, a conversation, a case */
        readonly eactId: number
      } | null
      /** Who is involved, since when and until when */
      readonly members: readonly ({
        /** 1 assigned user, 2 follower, 20 contact */
        readonly role: number
        /** When the role began */
        readonly startTs: string | null
        /** When the role ended; null while it lasts */
        readonly endTs: string | null
        /** The user; null for a contact */
        readonly user: {
          /** Id of a user */
          readonly userId: number
          /** Name to sign on with */
          readonly userName: string
          /** Name as people see it */
          readonly name: string
        } | null
        /** The contact; null for a user */
        readonly entityExtension: {
          /** Id of what a contact is to us, such as a customer */
          readonly eeexId: number
        } | null
      })[]
      /** Links from and to other activities */
      readonly links: readonly ({
        /** 14 activity to case, 16 sub-case to case */
        readonly type: number
        /** Source of the link */
        readonly from: {
          /** Id of an activity: a call, an email, a conversation, a case */
          readonly eactId: number
        }
        /** Target of the link */
        readonly to: {
          /** Id of an activity: a call, an email, a conversation, a case */
          readonly eactId: number
        }
      })[]
      /** Comments */
      readonly texts: readonly ({
        /** Id of a comment */
        readonly textId: number
        /** HTML, cleaned of everything that could do harm */
        readonly text: string
        /** The case */
        readonly activity: {
          /** Id of an activity: a call, an email, a conversation, a case */
          readonly eactId: number
        }
        /** When it was written */
        readonly creationTs: string | null
        /** The user; null for a system without a user */
        readonly creator: {
          /** Id of a user */
          readonly userId: number
          /** Name to sign on with */
          readonly userName: string
          /** Name as people see it */
          readonly name: string
        } | null
        /** Only for us; nobody outside is shown it */
        readonly internal: boolean
        /** It came from outside, and may reopen the case */
        readonly external: boolean
      })[]
      /** What was changed, when and by whom */
      readonly logs: readonly ({
        /** What was changed: status, assigned user, follower, contact, title, link … */
        readonly what: string
        /** The value before; null for a new one */
        readonly oldValue: unknown
        /** The value after */
        readonly newValue: unknown
        /** The reason of an automatic change */
        readonly reason: string | null
        /** The user; null for a system without a user */
        readonly user: {
          /** Id of a user */
          readonly userId: number
          /** Name to sign on with */
          readonly userName: string
          /** Name as people see it */
          readonly name: string
        } | null
        /** When it was changed */
        readonly creationTs: string | null
      })[]
      /** Tags */
      readonly emsTags: readonly ({
        /** Its id */
        readonly id: number
        /** The tag */
        readonly name: string
      })[]
      /** Files */
      readonly coreFileReferences: readonly ({
        /** Id of a file, for GET /rest/core/corefile */
        readonly cfreId: number
        /** 1 inline image, 2 attachment, 3 uploaded, 17 content of an email */
        readonly type: number
        /** Name of the file */
        readonly fileName: string
        /** Its media type */
        readonly mimeType: string
        /** In bytes */
        readonly size: number
        /** When it was stored */
        readonly creationTs: string | null
      })[]
      /** Values that users defined */
      readonly propValues: readonly ({
        /** The information field */
        readonly emprId: number
        /** Name of the information field */
        readonly name: string
        /** Its value */
        readonly value: string
      })[]
    })[]
  }
  /** Comment on a case. */
  readonly 'POST /rest/svcems/activitytexts': {
    readonly body: {
      /** HTML, at most 64 KiB; answers contain it cleaned of everything that could do harm */
      readonly text: string
      /** The activity that it belongs to */
      readonly activity: {
        /** The case */
        readonly eactId: number | string
      }
      /** Visible to users only; default true, unless external is true. Our addition */
      readonly internal?: boolean | undefined
      /** It came from outside and reopens the case, as an email does. Our addition */
      readonly external?: boolean | undefined
    }
    readonly answer: {
      /** Id of a comment */
      readonly textId: number
      /** HTML, cleaned of everything that could do harm */
      readonly text: string
      /** The case */
      readonly activity: {
        /** Id of an activity: a call, an email, a conversation, a case */
        readonly eactId: number
      }
      /** When it was written */
      readonly creationTs: string | null
      /** The user; null for a system without a user */
      readonly creator: {
        /** Id of a user */
        readonly userId: number
        /** Name to sign on with */
        readonly userName: string
        /** Name as people see it */
        readonly name: string
      } | null
      /** Only for us; nobody outside is shown it */
      readonly internal: boolean
      /** It came from outside, and may reopen the case */
      readonly external: boolean
    }
  }
  /** Categories of cases. */
  readonly 'GET /rest/svcems/categories': {
    readonly query?: {
      /** Also entries that are not active */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of a category */
      readonly ctnoId: number
      /** The category above it; null at the top */
      readonly parent: {
        /** Id of a category */
        readonly ctnoId: number
      } | null
      /** Name as people see it */
      readonly name: string
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active: boolean
      /** Place in a list, the lowest first */
      readonly sortOrder: number
    })[]
  }
  /** Add a category. */
  readonly 'POST /rest/svcems/categories': {
    readonly body: {
      /** Name as people see it */
      readonly name: string
      /** Default 0 */
      readonly sortOrder?: number | undefined
      /** Default: the first corporation of the credential */
      readonly corporation?: {
        /** One of the corporations of the credential */
        readonly corpId: number | string
      } | undefined
      /** The category above it */
      readonly parent?: {
        /** The category */
        readonly ctnoId: number | string
      } | null | undefined
    }
    readonly answer: {
      /** Id of a category */
      readonly ctnoId: number
      /** The category above it; null at the top */
      readonly parent: {
        /** Id of a category */
        readonly ctnoId: number
      } | null
      /** Name as people see it */
      readonly name: string
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active: boolean
      /** Place in a list, the lowest first */
      readonly sortOrder: number
    }
  }
  /** Statuses of cases that users defined. */
  readonly 'GET /rest/svcems/statuses': {
    readonly query?: {
      /** 35013 (default): user-defined statuses; other types are empty */
      readonly type?: number | undefined
      /** Also entries that are not active */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of a status that users defined */
      readonly emstId: number
      /** 1 open, 2 closed, 3 awaiting external action, 4 deleted, 5 merged, 6 spam, 7 awaiting internal action, 8 on hold */
      readonly internalStatus: number
      /** Whether it is taken where none is given */
      readonly default: boolean
      /** Colour on screens */
      readonly color: string | null
      /** Name as people see it */
      readonly name: string
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active: boolean
      /** Place in a list, the lowest first */
      readonly sortOrder: number
    })[]
  }
  /** Add a status of cases. */
  readonly 'POST /rest/svcems/statuses': {
    readonly body: {
      /** Name as people see it */
      readonly name: string
      /** Default 0 */
      readonly sortOrder?: number | undefined
      /** Default: the first corporation of the credential */
      readonly corporation?: {
        /** One of the corporations of the credential */
        readonly corpId: number | string
      } | undefined
      /** Such as #2f6fde */
      readonly color?: string | null | undefined
      /** It becomes the default of the list */
      readonly default?: boolean | undefined
      /** How cases with this status behave; it cannot be changed later */
      readonly internalStatus: number
    }
    readonly answer: {
      /** Id of a status that users defined */
      readonly emstId: number
      /** 1 open, 2 closed, 3 awaiting external action, 4 deleted, 5 merged, 6 spam, 7 awaiting internal action, 8 on hold */
      readonly internalStatus: number
      /** Whether it is taken where none is given */
      readonly default: boolean
      /** Colour on screens */
      readonly color: string | null
      /** Name as people see it */
      readonly name: string
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active: boolean
      /** Place in a list, the lowest first */
      readonly sortOrder: number
    }
  }
  /** Priorities of cases. */
  readonly 'GET /rest/svcems/priorities': {
    readonly query?: {
      /** Also entries that are not active */
      readonly all?: boolean | undefined
    }
    readonly answer: readonly ({
      /** Id of the priority */
      readonly emprId: number
      /** Id of a priority; the same value as emprId */
      readonly empriId: number
      /** The higher the more urgent */
      readonly level: number
      /** Whether it is taken where none is given */
      readonly default: boolean
      /** Colour on screens */
      readonly color: string | null
      /** Name as people see it */
      readonly name: string
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active: boolean
      /** Place in a list, the lowest first */
      readonly sortOrder: number
    })[]
  }
  /** Add a priority. */
  readonly 'POST /rest/svcems/priorities': {
    readonly body: {
      /** Name as people see it */
      readonly name: string
      /** Default 0 */
      readonly sortOrder?: number | undefined
      /** Default: the first corporation of the credential */
      readonly corporation?: {
        /** One of the corporations of the credential */
        readonly corpId: number | string
      } | undefined
      /** Such as #2f6fde */
      readonly color?: string | null | undefined
      /** It becomes the default of the list */
      readonly default?: boolean | undefined
      /** The higher the more urgent */
      readonly level: number
    }
    readonly answer: {
      /** Id of the priority */
      readonly emprId: number
      /** Id of a priority; the same value as emprId */
      readonly empriId: number
      /** The higher the more urgent */
      readonly level: number
      /** Whether it is taken where none is given */
      readonly default: boolean
      /** Colour on screens */
      readonly color: string | null
      /** Name as people see it */
      readonly name: string
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active: boolean
      /** Place in a list, the lowest first */
      readonly sortOrder: number
    }
  }
  /** Change the given fields of a category. */
  readonly 'PATCH /rest/svcems/categories/{ctnoId}': {
    readonly params: {
      /** The category */
      readonly ctnoId: number | string
    }
    readonly body: {
      /** Name as people see it */
      readonly name?: string | undefined
      /** Place in a list, the lowest first */
      readonly sortOrder?: number | undefined
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active?: boolean | undefined
    }
    readonly answer: {
      /** Id of a category */
      readonly ctnoId: number
      /** The category above it; null at the top */
      readonly parent: {
        /** Id of a category */
        readonly ctnoId: number
      } | null
      /** Name as people see it */
      readonly name: string
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active: boolean
      /** Place in a list, the lowest first */
      readonly sortOrder: number
    }
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
      /** Place in a list, the lowest first */
      readonly sortOrder?: number | undefined
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active?: boolean | undefined
      /** Such as #2f6fde */
      readonly color?: string | null | undefined
      /** It becomes the default of the list */
      readonly default?: true | undefined
    }
    readonly answer: {
      /** Id of a status that users defined */
      readonly emstId: number
      /** 1 open, 2 closed, 3 awaiting external action, 4 deleted, 5 merged, 6 spam, 7 awaiting internal action, 8 on hold */
      readonly internalStatus: number
      /** Whether it is taken where none is given */
      readonly default: boolean
      /** Colour on screens */
      readonly color: string | null
      /** Name as people see it */
      readonly name: string
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active: boolean
      /** Place in a list, the lowest first */
      readonly sortOrder: number
    }
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
      /** Place in a list, the lowest first */
      readonly sortOrder?: number | undefined
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active?: boolean | undefined
      /** Such as #2f6fde */
      readonly color?: string | null | undefined
      /** It becomes the default of the list */
      readonly default?: true | undefined
      /** The higher the more urgent */
      readonly level?: number | undefined
    }
    readonly answer: {
      /** Id of the priority */
      readonly emprId: number
      /** Id of a priority; the same value as emprId */
      readonly empriId: number
      /** The higher the more urgent */
      readonly level: number
      /** Whether it is taken where none is given */
      readonly default: boolean
      /** Colour on screens */
      readonly color: string | null
      /** Name as people see it */
      readonly name: string
      /** False: existing cases keep it, and it cannot be given to others */
      readonly active: boolean
      /** Place in a list, the lowest first */
      readonly sortOrder: number
    }
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
      readonly activity: {
        /** Id of an activity: a call, an email, a conversation, a case */
        readonly eactId: number
      }
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
    readonly answer: readonly ({
      /** Id of an activity: a call, an email, a conversation, a case */
      readonly eactId: number
      /** 10 call, 11 email, 15 case, 21 email conversation */
      readonly activityType: {
        /** Kind of activity: 10 call, 11 email, 15 case, 21 email conversation */
        readonly eatyId: number
        /** Name as people see it */
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
      readonly creator: {
        /** Id of a user */
        readonly userId: number
        /** Name to sign on with */
        readonly userName: string
        /** Name as people see it */
        readonly name: string
      } | null
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** The contact; null if it is unknown */
      readonly entityExtension: {
        /** Id of what a contact is to us, such as a customer */
        readonly eeexId: number
      } | null
      /** Links in both directions; the oldest 1,000 */
      readonly links: readonly ({
        /** 13 email to conversation, 14 activity to case, 16 sub-case to case */
        readonly type: number
        /** Source of the link */
        readonly from: {
          /** Id of an activity: a call, an email, a conversation, a case */
          readonly eactId: number
        }
        /** Target of the link */
        readonly to: {
          /** Id of an activity: a call, an email, a conversation, a case */
          readonly eactId: number
        }
      })[]
      /** Recordings of a call */
      readonly recordings: readonly ({
        /** Id of a recording; transcripts are searched by it */
        readonly pcreId: number
        /** Start of the recording */
        readonly startTs: string | null
        /** End of the recording */
        readonly endTs: string | null
        /** The file; null if recording failed */
        readonly cfreId: number | null
      })[]
      /** With getMembers */
      readonly members?: readonly ({
        /** 1 assigned user, 2 follower, 20 contact */
        readonly role: number
        /** The user, for roles 1 and 2 */
        readonly user: {
          /** Id of a user */
          readonly userId: number
          /** Name to sign on with */
          readonly userName: string
          /** Name as people see it */
          readonly name: string
        } | null
        /** The contact, for role 20 */
        readonly entityExtension: {
          /** Id of what a contact is to us, such as a customer */
          readonly eeexId: number
        } | null
        /** When the role began */
        readonly startTs: string | null
        /** When the role ended; null while it lasts */
        readonly endTs: string | null
      })[]
      /** With getFiles */
      readonly coreFileReferences?: readonly ({
        /** Id of a file, for GET /rest/core/corefile */
        readonly cfreId: number
        /** 1 inline image, 2 attachment, 3 uploaded, 17 content of an email */
        readonly type: number
        /** Name of the file */
        readonly fileName: string
        /** Its media type */
        readonly mimeType: string
        /** In bytes */
        readonly size: number
        /** When it was stored */
        readonly creationTs: string | null
      })[]
      /** With getEmsTags */
      readonly emsTags?: readonly ({
        /** Its id */
        readonly id: number
        /** The tag */
        readonly name: string
      })[]
    })[]
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
    readonly answer: readonly ({
      /** Id of an activity: a call, an email, a conversation, a case */
      readonly eactId: number
      /** 10 call, 11 email, 15 case, 21 email conversation */
      readonly activityType: {
        /** Kind of activity: 10 call, 11 email, 15 case, 21 email conversation */
        readonly eatyId: number
        /** Name as people see it */
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
      readonly creator: {
        /** Id of a user */
        readonly userId: number
        /** Name to sign on with */
        readonly userName: string
        /** Name as people see it */
        readonly name: string
      } | null
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** The contact; null if it is unknown */
      readonly entityExtension: {
        /** Id of what a contact is to us, such as a customer */
        readonly eeexId: number
      } | null
      /** Links in both directions; the oldest 1,000 */
      readonly links: readonly ({
        /** 13 email to conversation, 14 activity to case, 16 sub-case to case */
        readonly type: number
        /** Source of the link */
        readonly from: {
          /** Id of an activity: a call, an email, a conversation, a case */
          readonly eactId: number
        }
        /** Target of the link */
        readonly to: {
          /** Id of an activity: a call, an email, a conversation, a case */
          readonly eactId: number
        }
      })[]
      /** Recordings of a call */
      readonly recordings: readonly ({
        /** Id of a recording; transcripts are searched by it */
        readonly pcreId: number
        /** Start of the recording */
        readonly startTs: string | null
        /** End of the recording */
        readonly endTs: string | null
        /** The file; null if recording failed */
        readonly cfreId: number | null
      })[]
      /** With getMembers */
      readonly members?: readonly ({
        /** 1 assigned user, 2 follower, 20 contact */
        readonly role: number
        /** The user, for roles 1 and 2 */
        readonly user: {
          /** Id of a user */
          readonly userId: number
          /** Name to sign on with */
          readonly userName: string
          /** Name as people see it */
          readonly name: string
        } | null
        /** The contact, for role 20 */
        readonly entityExtension: {
          /** Id of what a contact is to us, such as a customer */
          readonly eeexId: number
        } | null
        /** When the role began */
        readonly startTs: string | null
        /** When the role ended; null while it lasts */
        readonly endTs: string | null
      })[]
      /** With getFiles */
      readonly coreFileReferences?: readonly ({
        /** Id of a file, for GET /rest/core/corefile */
        readonly cfreId: number
        /** 1 inline image, 2 attachment, 3 uploaded, 17 content of an email */
        readonly type: number
        /** Name of the file */
        readonly fileName: string
        /** Its media type */
        readonly mimeType: string
        /** In bytes */
        readonly size: number
        /** When it was stored */
        readonly creationTs: string | null
      })[]
      /** With getEmsTags */
      readonly emsTags?: readonly ({
        /** Its id */
        readonly id: number
        /** The tag */
        readonly name: string
      })[]
    })[]
  }
  /** The content of an email. */
  readonly 'GET /rest/svcems/emailcontent': {
    readonly query: {
      /** The email */
      readonly eactId: number | string
    }
    readonly answer: Uint8Array | {
      /** Id of an activity: a call, an email, a conversation, a case */
      readonly eactId: number
      /** What it is about */
      readonly subject: string
      /** As the email says; nobody has proven it */
      readonly from: {
        /** In small letters */
        readonly address: string
        /** Empty where none was given */
        readonly name: string
      } | null
      /** Where it ends */
      readonly to: readonly ({
        /** In small letters */
        readonly address: string
        /** Empty where none was given */
        readonly name: string
      })[]
      /** Who got a copy */
      readonly cc: readonly ({
        /** In small letters */
        readonly address: string
        /** Empty where none was given */
        readonly name: string
      })[]
      /** As the email says, or when it came */
      readonly date: string | null
      /** Of what is answered without Accept */
      readonly contentType: "text/html" | "text/plain"
      /** Safe to be shown; pictures are cid: of the files */
      readonly html: string | null
      /** What a person reads in it */
      readonly text: string
      /** Files */
      readonly coreFileReferences: readonly ({
        /** Id of a file, for GET /rest/core/corefile */
        readonly cfreId: number
        /** 1 inline image, 2 attachment, 17 content of an email */
        readonly type: number
        /** Name of the file */
        readonly fileName: string
        /** As its sender called it */
        readonly mimeType: string
        /** In bytes */
        readonly size: number
        /** What the HTML calls an inline image: cid: and this */
        readonly contentId: string | null
      })[]
      /** Without brackets */
      readonly messageId: string
      /** Why a machine wrote it; null: a person did */
      readonly automatic: string | null
      /** How far the sending is; null for an email that came in */
      readonly outgoing: {
        /** failed: refused, or reported later as not delivered to anybody; unknown: it may have been sent or not, and is not sent again by itself */
        readonly state: "queued" | "sending" | "sent" | "failed" | "unknown"
        /** How often sending it was tried */
        readonly tries: number
        /** What the other side said last */
        readonly why: string | null
        /** When it is tried again */
        readonly nextTryTs: string | null
        /** When the other side took it */
        readonly sentTs: string | null
      } | null
    }
  }
  /** Send an email from a case. */
  readonly 'POST /rest/svcems/emails': {
    readonly body: {
      /** The activity that it belongs to */
      readonly activity: {
        /** The case */
        readonly eactId: number | string
      }
      /** Where it ends */
      readonly to: readonly ({
        /** Address */
        readonly address: string
        /** Name as people see it */
        readonly name?: string | undefined
      })[]
      /** Who got a copy */
      readonly cc?: readonly ({
        /** Address */
        readonly address: string
        /** Name as people see it */
        readonly name?: string | undefined
      })[] | undefined
      /** The number of the case is put in front of it, as [#12], so that answers find it */
      readonly subject: string
      /** Made from the HTML when absent */
      readonly text?: string | undefined
      /** What is not safe to be shown is left out */
      readonly html?: string | undefined
      /** Files that go with it */
      readonly files?: readonly ({
        /** A file of yours, such as an upload to the case */
        readonly cfreId: number | string
      })[] | undefined
    }
    readonly answer: {
      /** The email */
      readonly eactId: number
      /** The conversation: the emails of one thread */
      readonly conversation: {
        /** Id of an activity: a call, an email, a conversation, a case */
        readonly eactId: number
      }
      /** The case; of a merged one, where it went */
      readonly activity: {
        /** Id of an activity: a call, an email, a conversation, a case */
        readonly eactId: number
      }
      /** Id of the message */
      readonly messageId: string
      /** What it is about */
      readonly subject: string
      /** How it is just now */
      readonly state: "queued"
    }
  }
  /** Put an activity into a case, or a case under another. */
  readonly 'PUT /rest/svcems/activitylinks': {
    readonly body: {
      /** 14: an activity into a case. 16: a case under another case. */
      readonly type: 14 | 16
      /** A call, an email or a conversation; for type 16 a case */
      readonly from: {
        /** The activity */
        readonly eactId: number | string
      }
      /** The case */
      readonly to: {
        /** The activity */
        readonly eactId: number | string
      }
    }
    readonly answer: {
      /** 14: an activity into a case. 16: a case under another case. */
      readonly type: 14 | 16
      /** A call, an email or a conversation; for type 16 a case */
      readonly from: {
        /** The activity */
        readonly eactId: number
      }
      /** The case */
      readonly to: {
        /** The activity */
        readonly eactId: number
      }
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
      /** https, without credentials and fragment */
      readonly url: string
      /** Events */
      readonly events: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[]
      /** What it is for, in words */
      readonly description?: string | null | undefined
      /** Only calls of these external systems; empty: every call, also those of none */
      readonly systemCodes?: readonly (string)[] | null | undefined
      /** Whether it is in use */
      readonly active?: boolean | undefined
      /** Whose it is */
      readonly corporation?: {
        /** The asker’s first when absent */
        readonly corpId: number | string
      } | undefined
    }
    readonly answer: {
      /** Id of a subscription */
      readonly webhookId: number
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Address it is sent to */
      readonly url: string
      /** Events */
      readonly events: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[]
      /** Only calls of these external systems; empty: every call */
      readonly systemCodes: readonly (string)[]
      /** What it is for, in words */
      readonly description: string
      /** Whether it is in use */
      readonly active: boolean
      /** Its owner’s wish, an answer 410, or five days without one success */
      readonly disabledBecause: "owner" | "gone" | "silent" | null
      /** Since when it gets nothing */
      readonly disabledTs: string | null
      /** The first failure after the last success */
      readonly failingSinceTs: string | null
      /** It fails so often that it is only probed, until it is back */
      readonly isPaused: boolean
      /** When it was made */
      readonly creationTs: string | null
      /** When it was changed last */
      readonly updateTs: string | null
    } & {
      /** whsec_…, for the signature; shown once */
      readonly secret: string
    }
  }
  /** The subscriptions. */
  readonly 'GET /rest/core/webhooks': {
    readonly answer: readonly ({
      /** Id of a subscription */
      readonly webhookId: number
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Address it is sent to */
      readonly url: string
      /** Events */
      readonly events: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[]
      /** Only calls of these external systems; empty: every call */
      readonly systemCodes: readonly (string)[]
      /** What it is for, in words */
      readonly description: string
      /** Whether it is in use */
      readonly active: boolean
      /** Its owner’s wish, an answer 410, or five days without one success */
      readonly disabledBecause: "owner" | "gone" | "silent" | null
      /** Since when it gets nothing */
      readonly disabledTs: string | null
      /** The first failure after the last success */
      readonly failingSinceTs: string | null
      /** It fails so often that it is only probed, until it is back */
      readonly isPaused: boolean
      /** When it was made */
      readonly creationTs: string | null
      /** When it was changed last */
      readonly updateTs: string | null
    })[]
  }
  /** One subscription. */
  readonly 'GET /rest/core/webhooks/{webhookId}': {
    readonly params: {
      /** The subscription */
      readonly webhookId: number | string
    }
    readonly answer: {
      /** Id of a subscription */
      readonly webhookId: number
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Address it is sent to */
      readonly url: string
      /** Events */
      readonly events: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[]
      /** Only calls of these external systems; empty: every call */
      readonly systemCodes: readonly (string)[]
      /** What it is for, in words */
      readonly description: string
      /** Whether it is in use */
      readonly active: boolean
      /** Its owner’s wish, an answer 410, or five days without one success */
      readonly disabledBecause: "owner" | "gone" | "silent" | null
      /** Since when it gets nothing */
      readonly disabledTs: string | null
      /** The first failure after the last success */
      readonly failingSinceTs: string | null
      /** It fails so often that it is only probed, until it is back */
      readonly isPaused: boolean
      /** When it was made */
      readonly creationTs: string | null
      /** When it was changed last */
      readonly updateTs: string | null
    }
  }
  /** Change the given fields of a subscription. */
  readonly 'PATCH /rest/core/webhooks/{webhookId}': {
    readonly params: {
      /** The subscription */
      readonly webhookId: number | string
    }
    readonly body: {
      /** https, without credentials and fragment */
      readonly url?: string | undefined
      /** Events */
      readonly events?: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[] | undefined
      /** What it is for, in words */
      readonly description?: string | null | undefined
      /** Only calls of these external systems; empty: every call, also those of none */
      readonly systemCodes?: readonly (string)[] | null | undefined
      /** Whether it is in use */
      readonly active?: boolean | undefined
    }
    readonly answer: {
      /** Id of a subscription */
      readonly webhookId: number
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Address it is sent to */
      readonly url: string
      /** Events */
      readonly events: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[]
      /** Only calls of these external systems; empty: every call */
      readonly systemCodes: readonly (string)[]
      /** What it is for, in words */
      readonly description: string
      /** Whether it is in use */
      readonly active: boolean
      /** Its owner’s wish, an answer 410, or five days without one success */
      readonly disabledBecause: "owner" | "gone" | "silent" | null
      /** Since when it gets nothing */
      readonly disabledTs: string | null
      /** The first failure after the last success */
      readonly failingSinceTs: string | null
      /** It fails so often that it is only probed, until it is back */
      readonly isPaused: boolean
      /** When it was made */
      readonly creationTs: string | null
      /** When it was changed last */
      readonly updateTs: string | null
    }
  }
  /** Remove a subscription and the list of its deliveries. */
  readonly 'DELETE /rest/core/webhooks/{webhookId}': {
    readonly params: {
      /** The subscription */
      readonly webhookId: number | string
    }
    readonly answer: undefined
  }
  /** Make a new secret. */
  readonly 'POST /rest/core/webhooks/{webhookId}/rotate-secret': {
    readonly params: {
      /** The subscription */
      readonly webhookId: number | string
    }
    readonly body?: {
      /** So long the old one works as well; 24 when absent */
      readonly overlapHours?: number | undefined
    }
    readonly answer: {
      /** Id of a subscription */
      readonly webhookId: number
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** Address it is sent to */
      readonly url: string
      /** Events */
      readonly events: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[]
      /** Only calls of these external systems; empty: every call */
      readonly systemCodes: readonly (string)[]
      /** What it is for, in words */
      readonly description: string
      /** Whether it is in use */
      readonly active: boolean
      /** Its owner’s wish, an answer 410, or five days without one success */
      readonly disabledBecause: "owner" | "gone" | "silent" | null
      /** Since when it gets nothing */
      readonly disabledTs: string | null
      /** The first failure after the last success */
      readonly failingSinceTs: string | null
      /** It fails so often that it is only probed, until it is back */
      readonly isPaused: boolean
      /** When it was made */
      readonly creationTs: string | null
      /** When it was changed last */
      readonly updateTs: string | null
    } & {
      /** whsec_…, for the signature; shown once */
      readonly secret: string
    }
  }
  /** Send a test event and wait for the answer. */
  readonly 'POST /rest/core/webhooks/{webhookId}/test': {
    readonly params: {
      /** The subscription */
      readonly webhookId: number | string
    }
    readonly answer: {
      /** Id of a delivery */
      readonly deliveryId: number
      /** Id of a subscription */
      readonly webhookId: number
      /** The webhook-id of every attempt */
      readonly eventId: string
      /** Which event */
      readonly eventType: string
      /** When it happened */
      readonly eventTs: string | null
      /** pending, waiting, delivered, dead, parked */
      readonly status: string
      /** How the last attempt ended, in words */
      readonly reason: string
      /** When it is tried next; null when it is over */
      readonly nextTs: string | null
      /** What was tried, the first one first */
      readonly attempts: readonly ({
        /** When it began */
        readonly ts: string | null
        /** How long it took, in milliseconds */
        readonly durationMs: number
        /** answered, timeout, network, forbidden, tooLarge or unavailable */
        readonly outcome: string
        /** HTTP status; null when there was no answer */
        readonly code: number | null
        /** The first 1,024 characters of the answer, or why there was none */
        readonly answer: string
      })[]
    }
  }
  /** What was sent to a subscription, newest event first. */
  readonly 'GET /rest/core/webhooks/{webhookId}/deliveries': {
    readonly params: {
      /** The subscription */
      readonly webhookId: number | string
    }
    readonly query?: {
      /** pending, waiting, delivered, dead, parked */
      readonly status?: readonly ("pending" | "waiting" | "delivered" | "dead" | "parked")[] | undefined
      /** Events from this instant on */
      readonly from?: number | string | undefined
      /** Events before this instant */
      readonly to?: number | string | undefined
      /** Rows that are passed over; 0 when absent */
      readonly offset?: number | undefined
      /** Rows of a page */
      readonly size?: number | undefined
    }
    readonly answer: readonly ({
      /** Id of a delivery */
      readonly deliveryId: number
      /** Id of a subscription */
      readonly webhookId: number
      /** The webhook-id of every attempt */
      readonly eventId: string
      /** Which event */
      readonly eventType: string
      /** When it happened */
      readonly eventTs: string | null
      /** pending, waiting, delivered, dead, parked */
      readonly status: string
      /** How the last attempt ended, in words */
      readonly reason: string
      /** When it is tried next; null when it is over */
      readonly nextTs: string | null
      /** What was tried, the first one first */
      readonly attempts: readonly ({
        /** When it began */
        readonly ts: string | null
        /** How long it took, in milliseconds */
        readonly durationMs: number
        /** answered, timeout, network, forbidden, tooLarge or unavailable */
        readonly outcome: string
        /** HTTP status; null when there was no answer */
        readonly code: number | null
        /** The first 1,024 characters of the answer, or why there was none */
        readonly answer: string
      })[]
    })[]
  }
  /** Send a delivery again, with a whole schedule before it. */
  readonly 'POST /rest/core/deliveries/{deliveryId}/replay': {
    readonly params: {
      /** The delivery */
      readonly deliveryId: number | string
    }
    readonly answer: {
      /** Id of a delivery */
      readonly deliveryId: number
      /** How far it is */
      readonly status: "pending"
    }
  }
  /** Send what a subscription has missed. */
  readonly 'POST /rest/core/webhooks/{webhookId}/recover': {
    readonly params: {
      /** The subscription */
      readonly webhookId: number | string
    }
    readonly body: {
      /** Events from this instant on */
      readonly from: number | string
      /** Before this one; now when absent */
      readonly to?: number | string | undefined
    }
    readonly answer: {
      /** How many will be sent */
      readonly queued: number
      /** Whether there is more just now */
      readonly more: boolean
    }
  }
  /** Events of the last 30 days, in the order in which they can be seen. */
  readonly 'GET /rest/core/events': {
    readonly query?: {
      /** `next` of the page before; the oldest when absent */
      readonly after?: string | undefined
      /** Only of these kinds */
      readonly types?: readonly ("phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update")[] | undefined
      /** 100 when absent */
      readonly limit?: number | undefined
    }
    readonly answer: {
      /** Events */
      readonly events: readonly ({
        /** Which kind it is */
        readonly type: "phone-call.ended" | "phone-call-summary.creation" | "phone-call-summary.update"
        /** The webhook-id of its deliveries, the same at every attempt */
        readonly id: string
        /** When it happened */
        readonly timestamp: string
        /** The call activity: look it up with calls/search */
        readonly phoneCallId?: string
        /** The call activity whose summary it is */
        readonly phoneCallSummaryId?: string
        /** The same ids, and what else is known */
        readonly data: {
          /** The call activity: look it up with calls/search */
          readonly phoneCallId?: string
          /** The call activity whose summary it is */
          readonly phoneCallSummaryId?: string
          /** Of the summary, when it was told */
          readonly summaryVersion?: number
          /** Id of a corporation */
          readonly corpId: number
          /** production or development */
          readonly environment: string
        }
      })[]
      /** The place after this page, for `after` */
      readonly next: string
      /** Whether there is more just now */
      readonly more: boolean
    }
  }
  /** The states of the agents who are logged in at this node. */
  readonly 'GET /svcpbx/agents': {
    readonly answer: readonly ({
      /** Name to sign on with */
      readonly userName: string
      /** loggedOut, calling, ready, reserved, talking, wrapUp or paused */
      readonly state: string
      /** Start of the state */
      readonly sinceTs: string | null
      /** When the state ends by itself */
      readonly untilTs: string | null
      /** Why, in words */
      readonly reason: string | null
      /** A pause or log-out that waits until the outgoing calls have ended */
      readonly asked: string | null
    })[]
  }
  /** Log in and out, pause, dial, skip, hang up, wrap up, give feedback. */
  readonly 'POST /svcpbx/agents/me/orders': {
    readonly body: {
      /** Which kind it is */
      readonly type: "logIn"
    } | {
      /** Which kind it is */
      readonly type: "logOut"
    } | {
      /** Which kind it is */
      readonly type: "ready"
    } | {
      /** Which kind it is */
      readonly type: "pause"
      /** Why, in words */
      readonly reason: string
    } | {
      /** Which kind it is */
      readonly type: "dial"
      /** The call task to dial; default: the offered one */
      readonly itcaId?: number | string | undefined
    } | {
      /** Which kind it is */
      readonly type: "skip"
    } | {
      /** Which kind it is */
      readonly type: "hangUp"
    } | {
      /** Which kind it is */
      readonly type: "endWrapUp"
    } | {
      /** Which kind it is */
      readonly type: "feedback"
      /** Which kind of feedback */
      readonly feedbackType: string
      /** The customer cannot be imported again before the quarantine ends (code 204) */
      readonly final?: boolean | undefined
      /** A note of the agent */
      readonly note?: string | undefined
    } | {
      /** Which kind it is */
      readonly type: "callback"
      /** When to call again */
      readonly callBackTs: number | string
      /** Allows a callback before the minimum interval has passed */
      readonly askedByContact?: boolean | undefined
    } | {
      /** Which kind it is */
      readonly type: "recordingConsent"
    } | {
      /** Which kind it is */
      readonly type: "machine"
    }
    readonly answer: {
      /** It was taken */
      readonly ok: true
    }
  }
  /** A ticket that opens the event socket once, within 30 s. */
  readonly 'POST /svcpbx/agents/me/tickets': {
    readonly answer: {
      /** Opens the event socket once */
      readonly ticket: string
      /** End of its validity */
      readonly expiresTs: string | null
    }
  }
  /** The audit trail, newest first. */
  readonly 'GET /rest/core/audit': {
    readonly query?: {
      /** From this instant on. */
      readonly sinceTs?: number | string | undefined
      /** Before this instant; keep it while you page: newer entries come first. */
      readonly untilTs?: number | string | undefined
      /** read, create, change, delete, end, send, export or erase */
      readonly action?: string | undefined
      /** The kind of thing, such as file or token. */
      readonly object?: string | undefined
      /** One of its ids. */
      readonly objectId?: string | undefined
      /** The credential. */
      readonly rcntrl?: string | undefined
      /** The person behind it. */
      readonly userId?: number | string | undefined
      /** 0 when absent */
      readonly offset?: number | undefined
      /** 100 when absent */
      readonly size?: number | undefined
    }
    readonly answer: readonly ({
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** From 1 in each corporation, without gaps. */
      readonly auditId: number
      /** When. */
      readonly ts: string | null
      /** The credential; of what the service does by itself, its own name for it. */
      readonly rcntrl: string
      /** Id of a user */
      readonly userId: number | null
      /** What is done */
      readonly action: string
      /** Kind of thing, in one word */
      readonly object: string
      /** 100 at the most. */
      readonly objectIds: readonly (string)[]
      /** How many things it was about. */
      readonly count: number
      /** Method and path */
      readonly operation: string
      /** Why, in words */
      readonly reason: string | null
      /** Address */
      readonly address: string
      /** Names the request in the log */
      readonly traceId: string
      /** SHA-256 over the entry and the hash of the one before. */
      readonly hash: string
    })[]
  }
  /** Everything that is kept about a person. */
  readonly 'POST /rest/core/persons/export': {
    readonly body: {
      /** A contact, by its extension … */
      readonly eeexId?: number | string | undefined
      /** … or by itself, */
      readonly emenId?: number | string | undefined
      /** or a customer: the external system … */
      readonly systemCode?: string | undefined
      /** … and who they are there, */
      readonly extCustId?: string | undefined
      /** or a telephone number that only they have, */
      readonly number?: string | undefined
      /** or an address: emails of nobody else, no contact. */
      readonly email?: string | undefined
      /** Whose person it is. */
      readonly corporation?: {
        /** The asker’s first when absent */
        readonly corpId: number | string
      } | undefined
      /** Why, as the number of a request; it is kept for years, so name nobody in it. */
      readonly reason: string
    }
    readonly answer: {
      /** False: there are more than 5,000 rows of something, which are left out. */
      readonly complete: boolean
      /** Calls, recordings (files by cfreId), transcripts, summaries. */
      readonly calls: Readonly<Record<string, unknown>>
      /** Cases, comments, emails and files. */
      readonly activities: Readonly<Record<string, unknown>>
      /** Call tasks and attempts. */
      readonly tasks: Readonly<Record<string, unknown>>
      /** What we call them, and their numbers. */
      readonly contacts: Readonly<Record<string, unknown>>
    }
  }
  /** Erase a person. */
  readonly 'POST /rest/core/persons/erase': {
    readonly body: {
      /** A contact, by its extension … */
      readonly eeexId?: number | string | undefined
      /** … or by itself, */
      readonly emenId?: number | string | undefined
      /** or a customer: the external system … */
      readonly systemCode?: string | undefined
      /** … and who they are there, */
      readonly extCustId?: string | undefined
      /** or a telephone number that only they have, */
      readonly number?: string | undefined
      /** or an address: emails of nobody else, no contact. */
      readonly email?: string | undefined
      /** Whose person it is. */
      readonly corporation?: {
        /** The asker’s first when absent */
        readonly corpId: number | string
      } | undefined
      /** Why, as the number of a request; it is kept for years, so name nobody in it. */
      readonly reason: string
    }
    readonly answer: {
      /** Calls that are nameless now. */
      readonly calls: number
      /** Cases, conversations and emails. */
      readonly activities: number
      /** Call tasks; none of them is dialed any more. */
      readonly callTasks: number
      /** Contacts. */
      readonly entities: number
    }
  }
  /** Keep what is about a person, a case, or all of it. */
  readonly 'POST /rest/core/legalholds': {
    readonly body: {
      /** A contact, by its extension … */
      readonly eeexId?: number | string | undefined
      /** … or by itself, */
      readonly emenId?: number | string | undefined
      /** or a customer: the external system … */
      readonly systemCode?: string | undefined
      /** … and who they are there, */
      readonly extCustId?: string | undefined
      /** or a telephone number that only they have, */
      readonly number?: string | undefined
      /** or an address: emails of nobody else, no contact. */
      readonly email?: string | undefined
      /** Whose person it is. */
      readonly corporation?: {
        /** The asker’s first when absent */
        readonly corpId: number | string
      } | undefined
      /** Or a case: with all that hangs on it. */
      readonly eactId?: number | string | undefined
      /** Or all of the corporation. */
      readonly everything?: true | undefined
      /** Why, as the number of a request; it is kept for years, so name nobody in it. */
      readonly reason: string
    }
    readonly answer: {
      /** Id of a legal hold */
      readonly holdId: number
    }
  }
  /** Legal holds. */
  readonly 'GET /rest/core/legalholds': {
    readonly answer: readonly ({
      /** Id of a legal hold */
      readonly holdId: number
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** person, case or everything */
      readonly keeps: string
      /** The case. */
      readonly eactId: number | null
      /** Why, in words */
      readonly reason: string
      /** Since when. */
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
  /** Work that was given up, newest first. */
  readonly 'GET /rest/core/deadletters': {
    readonly query?: {
      /** All of them when absent */
      readonly kind?: "transcript" | "summary" | "email" | undefined
      /** Rows that are passed over; 0 when absent */
      readonly offset?: number | undefined
      /** Rows of a page */
      readonly size?: number | undefined
    }
    readonly answer: readonly ({
      /** Id of work that was given up */
      readonly deadLetterId: string
      /** A recording, a summary of a call, an email of ours */
      readonly kind: "transcript" | "summary" | "email"
      /** Whose it is */
      readonly corporation: {
        /** Id of a corporation */
        readonly corpId: number
      }
      /** The call, or the email */
      readonly activity: {
        /** Id of an activity: a call, an email, a conversation, a case */
        readonly eactId: number
      }
      /** Why it was given up */
      readonly reason: string | null
      /** How often it was tried */
      readonly tries: number
      /** When it began */
      readonly creationTs: string | null
    })[]
  }
  /** Try it again, at once and with all its tries before it. */
  readonly 'POST /rest/core/deadletters/{deadLetterId}/retry': {
    readonly params: {
      /** As listed */
      readonly deadLetterId: string
    }
    readonly answer: {
      /** Id of work that was given up */
      readonly deadLetterId: string
      /** How far it is */
      readonly status: "queued"
    }
  }
}

/** POSTs that only read: asking twice does nothing twice. */
export const READING_POSTS: readonly string[] = [
  'POST /dialer/callcode/{callCode}/forecast',
  'POST /dialer/calltaskget',
  'POST /svcdialer/calltaskcallattempts/search',
  'POST /svcems/calls/search',
  'POST /rest/svcems/activity-summary/search',
  'POST /rest/core/transcript/search',
  'POST /rest/svcems/cases/search',
]

/** Served at the sign-on address. */
export const SIGN_ON: readonly string[] = [
  'GET /rest/api/state',
  'POST /rest/api/login',
]

/** Operations that answer page by page: which field turns the page, and where the rows are. */
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
