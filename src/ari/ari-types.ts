/** Types of ARI: generated from the API documents of Asterisk 22.10.1. Do not edit; see the command below. */
// npm run generate:ari-types -- DIRECTORY    (DIRECTORY: rest-api of an installed Asterisk)

type JsonObject = Readonly<Record<string, unknown>>

interface EventBase {
  readonly asterisk_id?: string
  readonly application: string
  readonly timestamp: string
}

export interface ApplicationReplaced extends EventBase {
  readonly type: 'ApplicationReplaced'
}

export interface ChannelDestroyed extends EventBase {
  readonly type: 'ChannelDestroyed'
  readonly cause: number
  readonly cause_txt: string
  readonly tech_cause?: number
  readonly channel: Channel
}

export interface ChannelDtmfReceived extends EventBase {
  readonly type: 'ChannelDtmfReceived'
  readonly digit: string
  readonly duration_ms: number
  readonly channel: Channel
}

export interface ChannelEnteredBridge extends EventBase {
  readonly type: 'ChannelEnteredBridge'
  readonly bridge: Bridge
  readonly channel?: Channel
}

export interface ChannelHangupRequest extends EventBase {
  readonly type: 'ChannelHangupRequest'
  readonly cause?: number
  readonly tech_cause?: number
  readonly soft?: boolean
  readonly channel: Channel
}

export interface ChannelLeftBridge extends EventBase {
  readonly type: 'ChannelLeftBridge'
  readonly bridge: Bridge
  readonly channel: Channel
}

export interface ChannelStateChange extends EventBase {
  readonly type: 'ChannelStateChange'
  readonly channel: Channel
}

export interface ChannelTalkingFinished extends EventBase {
  readonly type: 'ChannelTalkingFinished'
  readonly channel: Channel
  readonly duration: number
}

export interface ChannelTalkingStarted extends EventBase {
  readonly type: 'ChannelTalkingStarted'
  readonly channel: Channel
}

export interface Dial extends EventBase {
  readonly type: 'Dial'
  readonly caller?: Channel
  readonly peer: Channel
  readonly forward?: string
  readonly forwarded?: Channel
  readonly dialstring?: string
  readonly dialstatus: string
}

export interface PlaybackFinished extends EventBase {
  readonly type: 'PlaybackFinished'
  readonly playback: Playback
}

export interface PlaybackStarted extends EventBase {
  readonly type: 'PlaybackStarted'
  readonly playback: Playback
}

export interface RESTResponse extends EventBase {
  readonly type: 'RESTResponse'
  readonly transaction_id: string
  readonly request_id: string
  readonly status_code: number
  readonly reason_phrase: string
  readonly uri: string
  readonly content_type?: string
  readonly message_body?: string
}

export interface RecordingFailed extends EventBase {
  readonly type: 'RecordingFailed'
  readonly recording: LiveRecording
}

export interface RecordingFinished extends EventBase {
  readonly type: 'RecordingFinished'
  readonly recording: LiveRecording
}

export interface StasisEnd extends EventBase {
  readonly type: 'StasisEnd'
  readonly channel: Channel
}

export interface StasisStart extends EventBase {
  readonly type: 'StasisStart'
  readonly args: readonly string[]
  readonly channel: Channel
  readonly replace_channel?: Channel
}

/** The events that the engine uses, told apart by `type`. */
export type AriEvent =
  | ApplicationReplaced
  | ChannelDestroyed
  | ChannelDtmfReceived
  | ChannelEnteredBridge
  | ChannelHangupRequest
  | ChannelLeftBridge
  | ChannelStateChange
  | ChannelTalkingFinished
  | ChannelTalkingStarted
  | Dial
  | PlaybackFinished
  | PlaybackStarted
  | RESTResponse
  | RecordingFailed
  | RecordingFinished
  | StasisEnd
  | StasisStart

/** The types of all events of this Asterisk: what an event filter can name. */
export const ARI_EVENT_TYPES: readonly string[] = [
  'ApplicationMoveFailed',
  'ApplicationRegistered',
  'ApplicationReplaced',
  'ApplicationUnregistered',
  'BridgeAttendedTransfer',
  'BridgeBlindTransfer',
  'BridgeCreated',
  'BridgeDestroyed',
  'BridgeMerged',
  'BridgeVideoSourceChanged',
  'CallBroadcast',
  'CallClaimed',
  'ChannelCallerId',
  'ChannelConnectedLine',
  'ChannelCreated',
  'ChannelDestroyed',
  'ChannelDialplan',
  'ChannelDtmfReceived',
  'ChannelEnteredBridge',
  'ChannelHangupRequest',
  'ChannelHold',
  'ChannelLeftBridge',
  'ChannelStateChange',
  'ChannelTalkingFinished',
  'ChannelTalkingStarted',
  'ChannelToneDetected',
  'ChannelTransfer',
  'ChannelUnhold',
  'ChannelUserevent',
  'ChannelVarset',
  'ContactStatusChange',
  'DeviceStateChanged',
  'Dial',
  'EndpointStateChange',
  'PeerStatusChange',
  'PlaybackContinuing',
  'PlaybackFinished',
  'PlaybackStarted',
  'RESTResponse',
  'RecordingFailed',
  'RecordingFinished',
  'RecordingStarted',
  'StasisEnd',
  'StasisStart',
  'TextMessageReceived',
]

export interface Application {
  readonly name: string
  readonly channel_ids: readonly string[]
  readonly bridge_ids: readonly string[]
  readonly endpoint_ids: readonly string[]
  readonly device_names: readonly string[]
  readonly events_allowed: readonly JsonObject[]
  readonly events_disallowed: readonly JsonObject[]
}

export interface AsteriskInfo {
  readonly build?: BuildInfo
  readonly system?: SystemInfo
  readonly config?: ConfigInfo
  readonly status?: StatusInfo
}

export interface Bridge {
  readonly id: string
  readonly technology: string
  readonly bridge_type: string
  readonly bridge_class: string
  readonly creator: string
  readonly name: string
  readonly channels: readonly string[]
  readonly video_mode?: string
  readonly video_source_id?: string
  readonly creationtime: string
  readonly bridgevars?: JsonObject
}

export interface BuildInfo {
  readonly os: string
  readonly kernel: string
  readonly options: string
  readonly machine: string
  readonly date: string
  readonly user: string
}

export interface CallerID {
  readonly name: string
  readonly number: string
}

export interface Channel {
  readonly id: string
  readonly protocol_id: string
  readonly name: string
  readonly state: string
  readonly caller: CallerID
  readonly connected: CallerID
  readonly accountcode: string
  readonly dialplan: DialplanCEP
  readonly creationtime: string
  readonly language: string
  readonly channelvars?: JsonObject
  readonly caller_rdnis?: string
  readonly tenantid?: string
}

export interface ConfigInfo {
  readonly name: string
  readonly default_language: string
  readonly max_channels?: number
  readonly max_open_files?: number
  readonly max_load?: number
  readonly setid: SetId
}

export interface ConfigTuple {
  readonly attribute: string
  readonly value: string
}

export interface DialplanCEP {
  readonly context: string
  readonly exten: string
  readonly priority: number
  readonly app_name: string
  readonly app_data: string
}

export interface LiveRecording {
  readonly name: string
  readonly format: string
  readonly target_uri: string
  readonly state: string
  readonly duration?: number
  readonly talking_duration?: number
  readonly silence_duration?: number
  readonly cause?: string
}

export interface Module {
  readonly name: string
  readonly description: string
  readonly use_count: number
  readonly status: string
  readonly support_level: string
}

export interface Playback {
  readonly id: string
  readonly media_uri: string
  readonly next_media_uri?: string
  readonly target_uri: string
  readonly language?: string
  readonly state: string
}

export interface RTPstat {
  readonly txcount: number
  readonly rxcount: number
  readonly txjitter?: number
  readonly rxjitter?: number
  readonly remote_maxjitter?: number
  readonly remote_minjitter?: number
  readonly remote_normdevjitter?: number
  readonly remote_stdevjitter?: number
  readonly local_maxjitter?: number
  readonly local_minjitter?: number
  readonly local_normdevjitter?: number
  readonly local_stdevjitter?: number
  readonly txploss: number
  readonly rxploss: number
  readonly remote_maxrxploss?: number
  readonly remote_minrxploss?: number
  readonly remote_normdevrxploss?: number
  readonly remote_stdevrxploss?: number
  readonly local_maxrxploss?: number
  readonly local_minrxploss?: number
  readonly local_normdevrxploss?: number
  readonly local_stdevrxploss?: number
  readonly rtt?: number
  readonly maxrtt?: number
  readonly minrtt?: number
  readonly normdevrtt?: number
  readonly stdevrtt?: number
  readonly local_ssrc: number
  readonly remote_ssrc: number
  readonly txoctetcount: number
  readonly rxoctetcount: number
  readonly channel_uniqueid: string
}

export interface SetId {
  readonly user: string
  readonly group: string
}

export interface StatusInfo {
  readonly startup_time: string
  readonly last_reload_time: string
}

export interface StoredRecording {
  readonly name: string
  readonly format: string
}

export interface SystemInfo {
  readonly version: string
  readonly entity_id: string
}

/** The operations that the engine uses: arguments (path, query and body alike) and the body of a good answer. */
export interface AriOperations {
  /** Get details of an application. */
  'GET /applications/{applicationName}': { args: { applicationName: string }; answer: Application }
  /** Filter application events types. */
  'PUT /applications/{applicationName}/eventFilter': { args: { applicationName: string; filter?: JsonObject }; answer: Application }
  /** Create or update a dynamic configuration object. */
  'PUT /asterisk/config/dynamic/{configClass}/{objectType}/{id}': { args: { configClass: string; objectType: string; id: string; fields?: JsonObject }; answer: readonly ConfigTuple[] }
  /** Delete a dynamic configuration object. */
  'DELETE /asterisk/config/dynamic/{configClass}/{objectType}/{id}': { args: { configClass: string; objectType: string; id: string }; answer: undefined }
  /** Gets Asterisk system information. */
  'GET /asterisk/info': { args: { only?: readonly string[] }; answer: AsteriskInfo }
  /** List Asterisk modules. */
  'GET /asterisk/modules': { args: {}; answer: readonly Module[] }
  /** List all active bridges in Asterisk. */
  'GET /bridges': { args: {}; answer: readonly Bridge[] }
  /** Create a new bridge. */
  'POST /bridges': { args: { type?: string; bridgeId?: string; name?: string; variables?: JsonObject }; answer: Bridge }
  /** Shut down a bridge. */
  'DELETE /bridges/{bridgeId}': { args: { bridgeId: string }; answer: undefined }
  /** Add a channel to a bridge. */
  'POST /bridges/{bridgeId}/addChannel': { args: { bridgeId: string; channel: readonly string[]; role?: string; absorbDTMF?: boolean; mute?: boolean; inhibitConnectedLineUpdates?: boolean }; answer: undefined }
  /** Remove a channel from a bridge. */
  'POST /bridges/{bridgeId}/removeChannel': { args: { bridgeId: string; channel: readonly string[] }; answer: undefined }
  /** Start playback of media on a bridge. */
  'POST /bridges/{bridgeId}/play/{playbackId}': { args: { bridgeId: string; playbackId: string; media: readonly string[]; announcer_format?: string; lang?: string; offsetms?: number; skipms?: number }; answer: Playback }
  /** List all active channels in Asterisk. */
  'GET /channels': { args: {}; answer: readonly Channel[] }
  /** Create a new channel (originate). */
  'POST /channels': { args: { endpoint: string; extension?: string; context?: string; priority?: number; label?: string; app?: string; appArgs?: string; callerId?: string; timeout?: number; variables?: JsonObject; channelId?: string; otherChannelId?: string; originator?: string; formats?: string }; answer: Channel }
  /** Create channel. */
  'POST /channels/create': { args: { endpoint: string; app: string; appArgs?: string; channelId?: string; otherChannelId?: string; originator?: string; formats?: string; variables?: JsonObject }; answer: Channel }
  /** Channel details. */
  'GET /channels/{channelId}': { args: { channelId: string }; answer: Channel }
  /** Delete (i.e. hangup) a channel. */
  'DELETE /channels/{channelId}': { args: { channelId: string; reason_code?: string; reason?: string }; answer: undefined }
  /** Redirect the channel to a different location. */
  'POST /channels/{channelId}/redirect': { args: { channelId: string; endpoint: string }; answer: undefined }
  /** Answer a channel. */
  'POST /channels/{channelId}/answer': { args: { channelId: string }; answer: undefined }
  /** Send provided DTMF to a given channel. */
  'POST /channels/{channelId}/dtmf': { args: { channelId: string; dtmf?: string; before?: number; between?: number; duration?: number; after?: number }; answer: undefined }
  /** Mute a channel. */
  'POST /channels/{channelId}/mute': { args: { channelId: string; direction?: string }; answer: undefined }
  /** Unmute a channel. */
  'DELETE /channels/{channelId}/mute': { args: { channelId: string; direction?: string }; answer: undefined }
  /** Play music on hold to a channel. */
  'POST /channels/{channelId}/moh': { args: { channelId: string; mohClass?: string }; answer: undefined }
  /** Stop playing music on hold to a channel. */
  'DELETE /channels/{channelId}/moh': { args: { channelId: string }; answer: undefined }
  /** Start playback of media and specify the playbackId. */
  'POST /channels/{channelId}/play/{playbackId}': { args: { channelId: string; playbackId: string; media: readonly string[]; lang?: string; offsetms?: number; skipms?: number }; answer: Playback }
  /** Start a recording. */
  'POST /channels/{channelId}/record': { args: { channelId: string; name: string; format: string; maxDurationSeconds?: number; maxSilenceSeconds?: number; ifExists?: string; beep?: boolean; terminateOn?: string }; answer: LiveRecording }
  /** Set the value of a channel variable or function. */
  'POST /channels/{channelId}/variable': { args: { channelId: string; variable: string; value?: string; report_events?: boolean }; answer: undefined }
  /** Start snooping. */
  'POST /channels/{channelId}/snoop/{snoopId}': { args: { channelId: string; snoopId: string; spy?: string; whisper?: string; app: string; appArgs?: string }; answer: Channel }
  /** Dial a created channel. */
  'POST /channels/{channelId}/dial': { args: { channelId: string; caller?: string; timeout?: number }; answer: undefined }
  /** RTP stats on a channel. */
  'GET /channels/{channelId}/rtp_statistics': { args: { channelId: string }; answer: RTPstat }
  /** Start an External Media session. */
  'POST /channels/externalMedia': { args: { channelId?: string; app: string; variables?: JsonObject; external_host?: string; encapsulation?: string; transport?: string; connection_type?: string; format: string; direction?: string; data?: string; transport_data?: string }; answer: Channel }
  /** Get a playback's details. */
  'GET /playbacks/{playbackId}': { args: { playbackId: string }; answer: Playback }
  /** Stop a playback. */
  'DELETE /playbacks/{playbackId}': { args: { playbackId: string }; answer: undefined }
  /** Get a stored recording's details. */
  'GET /recordings/stored/{recordingName}': { args: { recordingName: string }; answer: StoredRecording }
  /** List live recordings. */
  'GET /recordings/live/{recordingName}': { args: { recordingName: string }; answer: LiveRecording }
  /** Stop a live recording and store it. */
  'POST /recordings/live/{recordingName}/stop': { args: { recordingName: string }; answer: undefined }
}
