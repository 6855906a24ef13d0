/** Types of ARI: generated from the API documents of Asterisk 22.10.1. Do not edit; see the command below. */
// npm run generate:ari-types -- DIRECTORY    (DIRECTORY: rest-api of an installed Asterisk)

type JsonObject = Readonly<Record<string, unknown>>

interface EventBase {
  readonly asterisk_id?: string
  readonly application: string
  readonly timestamp: string
}

export interface ApplicationMoveFailed extends EventBase {
  readonly type: 'ApplicationMoveFailed'
  readonly channel: Channel
  readonly destination: string
  readonly args: readonly string[]
}

export interface ApplicationRegistered extends EventBase {
  readonly type: 'ApplicationRegistered'
}

export interface ApplicationReplaced extends EventBase {
  readonly type: 'ApplicationReplaced'
}

export interface ApplicationUnregistered extends EventBase {
  readonly type: 'ApplicationUnregistered'
}

export interface BridgeAttendedTransfer extends EventBase {
  readonly type: 'BridgeAttendedTransfer'
  readonly transferer_first_leg: Channel
  readonly transferer_second_leg: Channel
  readonly replace_channel?: Channel
  readonly transferee?: Channel
  readonly transfer_target?: Channel
  readonly result: string
  readonly is_external: boolean
  readonly transferer_first_leg_bridge?: Bridge
  readonly transferer_second_leg_bridge?: Bridge
  readonly destination_type: string
  readonly destination_bridge?: string
  readonly destination_application?: string
  readonly destination_link_first_leg?: Channel
  readonly destination_link_second_leg?: Channel
  readonly destination_threeway_channel?: Channel
  readonly destination_threeway_bridge?: Bridge
}

export interface BridgeBlindTransfer extends EventBase {
  readonly type: 'BridgeBlindTransfer'
  readonly channel: Channel
  readonly replace_channel?: Channel
  readonly transferee?: Channel
  readonly exten: string
  readonly context: string
  readonly result: string
  readonly is_external: boolean
  readonly bridge?: Bridge
}

export interface BridgeCreated extends EventBase {
  readonly type: 'BridgeCreated'
  readonly bridge: Bridge
}

export interface BridgeDestroyed extends EventBase {
  readonly type: 'BridgeDestroyed'
  readonly bridge: Bridge
}

export interface BridgeMerged extends EventBase {
  readonly type: 'BridgeMerged'
  readonly bridge: Bridge
  readonly bridge_from: Bridge
}

export interface BridgeVideoSourceChanged extends EventBase {
  readonly type: 'BridgeVideoSourceChanged'
  readonly bridge: Bridge
  readonly old_video_source_id?: string
}

export interface CallBroadcast extends EventBase {
  readonly type: 'CallBroadcast'
  readonly channel: Channel
  readonly caller?: string
  readonly called?: string
}

export interface CallClaimed extends EventBase {
  readonly type: 'CallClaimed'
  readonly channel: Channel
  readonly winner_app: string
}

export interface ChannelCallerId extends EventBase {
  readonly type: 'ChannelCallerId'
  readonly caller_presentation: number
  readonly caller_presentation_txt: string
  readonly channel: Channel
}

export interface ChannelConnectedLine extends EventBase {
  readonly type: 'ChannelConnectedLine'
  readonly channel: Channel
}

export interface ChannelCreated extends EventBase {
  readonly type: 'ChannelCreated'
  readonly channel: Channel
}

export interface ChannelDestroyed extends EventBase {
  readonly type: 'ChannelDestroyed'
  readonly cause: number
  readonly cause_txt: string
  readonly tech_cause?: number
  readonly channel: Channel
}

export interface ChannelDialplan extends EventBase {
  readonly type: 'ChannelDialplan'
  readonly channel: Channel
  readonly dialplan_app: string
  readonly dialplan_app_data: string
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

export interface ChannelHold extends EventBase {
  readonly type: 'ChannelHold'
  readonly channel: Channel
  readonly musicclass?: string
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

export interface ChannelToneDetected extends EventBase {
  readonly type: 'ChannelToneDetected'
  readonly channel: Channel
}

export interface ChannelTransfer extends EventBase {
  readonly type: 'ChannelTransfer'
  readonly state?: string
  readonly refer_to: ReferTo
  readonly referred_by: ReferredBy
}

export interface ChannelUnhold extends EventBase {
  readonly type: 'ChannelUnhold'
  readonly channel: Channel
}

export interface ChannelUserevent extends EventBase {
  readonly type: 'ChannelUserevent'
  readonly eventname: string
  readonly channel?: Channel
  readonly bridge?: Bridge
  readonly endpoint?: Endpoint
  readonly userevent: JsonObject
}

export interface ChannelVarset extends EventBase {
  readonly type: 'ChannelVarset'
  readonly variable: string
  readonly value: string
  readonly channel?: Channel
}

export interface ContactStatusChange extends EventBase {
  readonly type: 'ContactStatusChange'
  readonly endpoint: Endpoint
  readonly contact_info: ContactInfo
}

export interface DeviceStateChanged extends EventBase {
  readonly type: 'DeviceStateChanged'
  readonly device_state: DeviceState
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

export interface EndpointStateChange extends EventBase {
  readonly type: 'EndpointStateChange'
  readonly endpoint: Endpoint
}

export interface PeerStatusChange extends EventBase {
  readonly type: 'PeerStatusChange'
  readonly endpoint: Endpoint
  readonly peer: Peer
}

export interface PlaybackContinuing extends EventBase {
  readonly type: 'PlaybackContinuing'
  readonly playback: Playback
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

export interface RecordingStarted extends EventBase {
  readonly type: 'RecordingStarted'
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

export interface TextMessageReceived extends EventBase {
  readonly type: 'TextMessageReceived'
  readonly message: TextMessage
  readonly endpoint?: Endpoint
}

/** Everything Asterisk may tell an application, told apart by `type`. */
export type AriEvent =
  | ApplicationMoveFailed
  | ApplicationRegistered
  | ApplicationReplaced
  | ApplicationUnregistered
  | BridgeAttendedTransfer
  | BridgeBlindTransfer
  | BridgeCreated
  | BridgeDestroyed
  | BridgeMerged
  | BridgeVideoSourceChanged
  | CallBroadcast
  | CallClaimed
  | ChannelCallerId
  | ChannelConnectedLine
  | ChannelCreated
  | ChannelDestroyed
  | ChannelDialplan
  | ChannelDtmfReceived
  | ChannelEnteredBridge
  | ChannelHangupRequest
  | ChannelHold
  | ChannelLeftBridge
  | ChannelStateChange
  | ChannelTalkingFinished
  | ChannelTalkingStarted
  | ChannelToneDetected
  | ChannelTransfer
  | ChannelUnhold
  | ChannelUserevent
  | ChannelVarset
  | ContactStatusChange
  | DeviceStateChanged
  | Dial
  | EndpointStateChange
  | PeerStatusChange
  | PlaybackContinuing
  | PlaybackFinished
  | PlaybackStarted
  | RESTResponse
  | RecordingFailed
  | RecordingFinished
  | RecordingStarted
  | StasisEnd
  | StasisStart
  | TextMessageReceived

/** The same as values: what an event filter can name. */
export const ARI_EVENT_TYPES = [
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
] as const

export interface AdditionalParam {
  readonly parameter_name: string
  readonly parameter_value: string
}

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

export interface AsteriskPing {
  readonly asterisk_id: string
  readonly ping: string
  readonly timestamp: string
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

export interface ContactInfo {
  readonly uri: string
  readonly contact_status: string
  readonly aor: string
  readonly roundtrip_usec?: string
}

export interface DeviceState {
  readonly name: string
  readonly state: string
}

export interface Dialed {
}

export interface DialplanCEP {
  readonly context: string
  readonly exten: string
  readonly priority: number
  readonly app_name: string
  readonly app_data: string
}

export interface Endpoint {
  readonly technology: string
  readonly resource: string
  readonly state?: string
  readonly channel_ids: readonly string[]
}

export interface FormatLangPair {
  readonly language: string
  readonly format: string
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

export interface LogChannel {
  readonly channel: string
  readonly type: string
  readonly status: string
  readonly configuration: string
}

export interface Mailbox {
  readonly name: string
  readonly old_messages: number
  readonly new_messages: number
}

export interface MissingParams {
  readonly params: readonly string[]
}

export interface Module {
  readonly name: string
  readonly description: string
  readonly use_count: number
  readonly status: string
  readonly support_level: string
}

export interface Peer {
  readonly peer_status: string
  readonly cause?: string
  readonly address?: string
  readonly port?: string
  readonly time?: string
}

export interface Playback {
  readonly id: string
  readonly media_uri: string
  readonly next_media_uri?: string
  readonly target_uri: string
  readonly language?: string
  readonly state: string
}

export interface RESTHeader {
  readonly name: string
  readonly value: string
}

export interface RESTQueryStringParameter {
  readonly name: string
  readonly value: string
}

export interface RESTRequest {
  readonly type: string
  readonly transaction_id: string
  readonly request_id: string
  readonly method: string
  readonly uri: string
  readonly content_type?: string
  readonly query_strings?: readonly RESTQueryStringParameter[]
  readonly message_body?: string
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

export interface ReferTo {
  readonly requested_destination: RequiredDestination
  readonly destination_channel?: Channel
  readonly connected_channel?: Channel
  readonly bridge?: Bridge
}

export interface ReferredBy {
  readonly source_channel: Channel
  readonly connected_channel?: Channel
  readonly bridge?: Bridge
}

export interface RequiredDestination {
  readonly protocol_id?: string
  readonly destination?: string
  readonly additional_protocol_params?: readonly AdditionalParam[]
}

export interface SetId {
  readonly user: string
  readonly group: string
}

export interface Sound {
  readonly id: string
  readonly text?: string
  readonly formats: readonly FormatLangPair[]
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

export interface TextMessage {
  readonly from: string
  readonly to: string
  readonly body: string
  readonly variables?: JsonObject
}

export interface Variable {
  readonly value: string
}

export interface Variables {
  readonly variables: JsonObject
}

/** Everything an application may ask: arguments (path, query and body alike) and the body of a good answer. */
export interface AriOperations {
  /** List all applications. */
  'GET /applications': { args: {}; answer: readonly Application[] }
  /** Get details of an application. */
  'GET /applications/{applicationName}': { args: { applicationName: string }; answer: Application }
  /** Subscribe an application to a event source. */
  'POST /applications/{applicationName}/subscription': { args: { applicationName: string; eventSource: readonly string[] }; answer: Application }
  /** Unsubscribe an application from an event source. */
  'DELETE /applications/{applicationName}/subscription': { args: { applicationName: string; eventSource: readonly string[] }; answer: Application }
  /** Filter application events types. */
  'PUT /applications/{applicationName}/eventFilter': { args: { applicationName: string; filter?: JsonObject }; answer: Application }
  /** Retrieve a dynamic configuration object. */
  'GET /asterisk/config/dynamic/{configClass}/{objectType}/{id}': { args: { configClass: string; objectType: string; id: string }; answer: readonly ConfigTuple[] }
  /** Create or update a dynamic configuration object. */
  'PUT /asterisk/config/dynamic/{configClass}/{objectType}/{id}': { args: { configClass: string; objectType: string; id: string; fields?: JsonObject }; answer: readonly ConfigTuple[] }
  /** Delete a dynamic configuration object. */
  'DELETE /asterisk/config/dynamic/{configClass}/{objectType}/{id}': { args: { configClass: string; objectType: string; id: string }; answer: undefined }
  /** Gets Asterisk system information. */
  'GET /asterisk/info': { args: { only?: readonly string[] }; answer: AsteriskInfo }
  /** Response pong message. */
  'GET /asterisk/ping': { args: {}; answer: AsteriskPing }
  /** List Asterisk modules. */
  'GET /asterisk/modules': { args: {}; answer: readonly Module[] }
  /** Get Asterisk module information. */
  'GET /asterisk/modules/{moduleName}': { args: { moduleName: string }; answer: Module }
  /** Load an Asterisk module. */
  'POST /asterisk/modules/{moduleName}': { args: { moduleName: string }; answer: undefined }
  /** Unload an Asterisk module. */
  'DELETE /asterisk/modules/{moduleName}': { args: { moduleName: string }; answer: undefined }
  /** Reload an Asterisk module. */
  'PUT /asterisk/modules/{moduleName}': { args: { moduleName: string }; answer: undefined }
  /** Gets Asterisk log channel information. */
  'GET /asterisk/logging': { args: {}; answer: readonly LogChannel[] }
  /** Adds a log channel. */
  'POST /asterisk/logging/{logChannelName}': { args: { logChannelName: string; configuration: string }; answer: undefined }
  /** Deletes a log channel. */
  'DELETE /asterisk/logging/{logChannelName}': { args: { logChannelName: string }; answer: undefined }
  /** Rotates a log channel. */
  'PUT /asterisk/logging/{logChannelName}/rotate': { args: { logChannelName: string }; answer: undefined }
  /** Get the value of a global variable. */
  'GET /asterisk/variable': { args: { variable: string }; answer: Variable }
  /** Set the value of a global variable. */
  'POST /asterisk/variable': { args: { variable: string; value?: string }; answer: undefined }
  /** List all active bridges in Asterisk. */
  'GET /bridges': { args: {}; answer: readonly Bridge[] }
  /** Create a new bridge. */
  'POST /bridges': { args: { type?: string; bridgeId?: string; name?: string; variables?: JsonObject }; answer: Bridge }
  /** Create a new bridge. */
  'POST /bridges/{bridgeId}': { args: { type?: string; bridgeId: string; name?: string; variables?: JsonObject }; answer: Bridge }
  /** Get bridge details. */
  'GET /bridges/{bridgeId}': { args: { bridgeId: string }; answer: Bridge }
  /** Shut down a bridge. */
  'DELETE /bridges/{bridgeId}': { args: { bridgeId: string }; answer: undefined }
  /** Get the value of a bridge variable or function. */
  'GET /bridges/{bridgeId}/variable': { args: { bridgeId: string; variable: string }; answer: Variable }
  /** Set the value of a bridge variable or function. */
  'POST /bridges/{bridgeId}/variable': { args: { bridgeId: string; variable: string; value?: string; report_events?: boolean }; answer: undefined }
  /** Get the value of multiple bridge variables or functions. */
  'GET /bridges/{bridgeId}/variables': { args: { bridgeId: string; variables: readonly string[] }; answer: Variables }
  /** Set the values of multiple bridge variables or functions. */
  'POST /bridges/{bridgeId}/variables': { args: { bridgeId: string; variables: JsonObject }; answer: undefined }
  /** Add a channel to a bridge. */
  'POST /bridges/{bridgeId}/addChannel': { args: { bridgeId: string; channel: readonly string[]; role?: string; absorbDTMF?: boolean; mute?: boolean; inhibitConnectedLineUpdates?: boolean }; answer: undefined }
  /** Remove a channel from a bridge. */
  'POST /bridges/{bridgeId}/removeChannel': { args: { bridgeId: string; channel: readonly string[] }; answer: undefined }
  /** Set a channel as the video source in a multi-party mixing bridge. This operation has no effect on bridges with two or fewer participants. */
  'POST /bridges/{bridgeId}/videoSource/{channelId}': { args: { bridgeId: string; channelId: string }; answer: undefined }
  /** Removes any explicit video source in a multi-party mixing bridge. This operation has no effect on bridges with two or fewer participants. When no explicit video source is set, talk detection will be used to determine the active video stream. */
  'DELETE /bridges/{bridgeId}/videoSource': { args: { bridgeId: string }; answer: undefined }
  /** Play music on hold to a bridge or change the MOH class that is playing. */
  'POST /bridges/{bridgeId}/moh': { args: { bridgeId: string; mohClass?: string }; answer: undefined }
  /** Stop playing music on hold to a bridge. */
  'DELETE /bridges/{bridgeId}/moh': { args: { bridgeId: string }; answer: undefined }
  /** Start playback of media on a bridge. */
  'POST /bridges/{bridgeId}/play': { args: { bridgeId: string; media: readonly string[]; announcer_format?: string; lang?: string; offsetms?: number; skipms?: number; playbackId?: string }; answer: Playback }
  /** Start playback of media on a bridge. */
  'POST /bridges/{bridgeId}/play/{playbackId}': { args: { bridgeId: string; playbackId: string; media: readonly string[]; announcer_format?: string; lang?: string; offsetms?: number; skipms?: number }; answer: Playback }
  /** Start a recording. */
  'POST /bridges/{bridgeId}/record': { args: { bridgeId: string; name: string; format: string; recorder_format?: string; maxDurationSeconds?: number; maxSilenceSeconds?: number; ifExists?: string; beep?: boolean; terminateOn?: string }; answer: LiveRecording }
  /** List all active channels in Asterisk. */
  'GET /channels': { args: {}; answer: readonly Channel[] }
  /** Create a new channel (originate). */
  'POST /channels': { args: { endpoint: string; extension?: string; context?: string; priority?: number; label?: string; app?: string; appArgs?: string; callerId?: string; timeout?: number; variables?: JsonObject; channelId?: string; otherChannelId?: string; originator?: string; formats?: string }; answer: Channel }
  /** Create channel. */
  'POST /channels/create': { args: { endpoint: string; app: string; appArgs?: string; channelId?: string; otherChannelId?: string; originator?: string; formats?: string; variables?: JsonObject }; answer: Channel }
  /** Channel details. */
  'GET /channels/{channelId}': { args: { channelId: string }; answer: Channel }
  /** Create a new channel (originate with id). */
  'POST /channels/{channelId}': { args: { channelId: string; endpoint: string; extension?: string; context?: string; priority?: number; label?: string; app?: string; appArgs?: string; callerId?: string; timeout?: number; variables?: JsonObject; otherChannelId?: string; originator?: string; formats?: string }; answer: Channel }
  /** Delete (i.e. hangup) a channel. */
  'DELETE /channels/{channelId}': { args: { channelId: string; reason_code?: string; reason?: string }; answer: undefined }
  /** Exit application; continue execution in the dialplan. */
  'POST /channels/{channelId}/continue': { args: { channelId: string; context?: string; extension?: string; priority?: number; label?: string }; answer: undefined }
  /** Move the channel from one Stasis application to another. */
  'POST /channels/{channelId}/move': { args: { channelId: string; app: string; appArgs?: string }; answer: undefined }
  /** Redirect the channel to a different location. */
  'POST /channels/{channelId}/redirect': { args: { channelId: string; endpoint: string }; answer: undefined }
  /** Answer a channel. */
  'POST /channels/{channelId}/answer': { args: { channelId: string }; answer: undefined }
  /** Indicate ringing to a channel. */
  'POST /channels/{channelId}/ring': { args: { channelId: string }; answer: undefined }
  /** Stop ringing indication on a channel if locally generated. */
  'DELETE /channels/{channelId}/ring': { args: { channelId: string }; answer: undefined }
  /** Indicate progress on a channel. */
  'POST /channels/{channelId}/progress': { args: { channelId: string }; answer: undefined }
  /** Send provided DTMF to a given channel. */
  'POST /channels/{channelId}/dtmf': { args: { channelId: string; dtmf?: string; before?: number; between?: number; duration?: number; after?: number }; answer: undefined }
  /** Mute a channel. */
  'POST /channels/{channelId}/mute': { args: { channelId: string; direction?: string }; answer: undefined }
  /** Unmute a channel. */
  'DELETE /channels/{channelId}/mute': { args: { channelId: string; direction?: string }; answer: undefined }
  /** Hold a channel. */
  'POST /channels/{channelId}/hold': { args: { channelId: string }; answer: undefined }
  /** Remove a channel from hold. */
  'DELETE /channels/{channelId}/hold': { args: { channelId: string }; answer: undefined }
  /** Play music on hold to a channel. */
  'POST /channels/{channelId}/moh': { args: { channelId: string; mohClass?: string }; answer: undefined }
  /** Stop playing music on hold to a channel. */
  'DELETE /channels/{channelId}/moh': { args: { channelId: string }; answer: undefined }
  /** Play silence to a channel. */
  'POST /channels/{channelId}/silence': { args: { channelId: string }; answer: undefined }
  /** Stop playing silence to a channel. */
  'DELETE /channels/{channelId}/silence': { args: { channelId: string }; answer: undefined }
  /** Start playback of media. */
  'POST /channels/{channelId}/play': { args: { channelId: string; media: readonly string[]; lang?: string; offsetms?: number; skipms?: number; playbackId?: string }; answer: Playback }
  /** Start playback of media and specify the playbackId. */
  'POST /channels/{channelId}/play/{playbackId}': { args: { channelId: string; playbackId: string; media: readonly string[]; lang?: string; offsetms?: number; skipms?: number }; answer: Playback }
  /** Start a recording. */
  'POST /channels/{channelId}/record': { args: { channelId: string; name: string; format: string; maxDurationSeconds?: number; maxSilenceSeconds?: number; ifExists?: string; beep?: boolean; terminateOn?: string }; answer: LiveRecording }
  /** Get the value of a channel variable or function. */
  'GET /channels/{channelId}/variable': { args: { channelId: string; variable: string }; answer: Variable }
  /** Set the value of a channel variable or function. */
  'POST /channels/{channelId}/variable': { args: { channelId: string; variable: string; value?: string; report_events?: boolean }; answer: undefined }
  /** Get the value of multiple channel variables or functions. */
  'GET /channels/{channelId}/variables': { args: { channelId: string; variables: readonly string[] }; answer: Variables }
  /** Set the values of multiple channel variables or functions. */
  'POST /channels/{channelId}/variables': { args: { channelId: string; variables: JsonObject }; answer: undefined }
  /** Start snooping. */
  'POST /channels/{channelId}/snoop': { args: { channelId: string; spy?: string; whisper?: string; app: string; appArgs?: string; snoopId?: string }; answer: Channel }
  /** Start snooping. */
  'POST /channels/{channelId}/snoop/{snoopId}': { args: { channelId: string; snoopId: string; spy?: string; whisper?: string; app: string; appArgs?: string }; answer: Channel }
  /** Dial a created channel. */
  'POST /channels/{channelId}/dial': { args: { channelId: string; caller?: string; timeout?: number }; answer: undefined }
  /** RTP stats on a channel. */
  'GET /channels/{channelId}/rtp_statistics': { args: { channelId: string }; answer: RTPstat }
  /** Start an External Media session. */
  'POST /channels/externalMedia': { args: { channelId?: string; app: string; variables?: JsonObject; external_host?: string; encapsulation?: string; transport?: string; connection_type?: string; format: string; direction?: string; data?: string; transport_data?: string }; answer: Channel }
  /** Inform the channel about the progress of the attended/blind transfer. */
  'POST /channels/{channelId}/transfer_progress': { args: { channelId: string; states: string }; answer: undefined }
  /** List all ARI controlled device states. */
  'GET /deviceStates': { args: {}; answer: readonly DeviceState[] }
  /** Retrieve the current state of a device. */
  'GET /deviceStates/{deviceName}': { args: { deviceName: string }; answer: DeviceState }
  /** Change the state of a device controlled by ARI. (Note - implicitly creates the device state). */
  'PUT /deviceStates/{deviceName}': { args: { deviceName: string; deviceState: string }; answer: undefined }
  /** Destroy a device-state controlled by ARI. */
  'DELETE /deviceStates/{deviceName}': { args: { deviceName: string }; answer: undefined }
  /** List all endpoints. */
  'GET /endpoints': { args: {}; answer: readonly Endpoint[] }
  /** Send a message to some technology URI or endpoint. */
  'PUT /endpoints/sendMessage': { args: { to: string; from: string; body?: string; variables?: JsonObject }; answer: undefined }
  /** Refer an endpoint or technology URI to some technology URI or endpoint. */
  'POST /endpoints/refer': { args: { to: string; from: string; refer_to: string; to_self?: boolean; variables?: JsonObject }; answer: undefined }
  /** List available endoints for a given endpoint technology. */
  'GET /endpoints/{tech}': { args: { tech: string }; answer: readonly Endpoint[] }
  /** Details for an endpoint. */
  'GET /endpoints/{tech}/{resource}': { args: { tech: string; resource: string }; answer: Endpoint }
  /** Send a message to some endpoint in a technology. */
  'PUT /endpoints/{tech}/{resource}/sendMessage': { args: { tech: string; resource: string; from: string; body?: string; variables?: JsonObject }; answer: undefined }
  /** Refer an endpoint or technology URI to some technology URI or endpoint. */
  'POST /endpoints/{tech}/{resource}/refer': { args: { tech: string; resource: string; from: string; refer_to: string; to_self?: boolean; variables?: JsonObject }; answer: undefined }
  /** WebSocket connection for events. */
  'GET /events': { args: { app: readonly string[]; subscribeAll?: boolean }; answer: AriEvent }
  /** Generate a user event. */
  'POST /events/user/{eventName}': { args: { eventName: string; application: string; source?: readonly string[]; variables?: JsonObject }; answer: undefined }
  /** Claim a broadcast channel for this application. */
  'POST /events/claim': { args: { channelId: string; application: string }; answer: undefined }
  /** List all mailboxes. */
  'GET /mailboxes': { args: {}; answer: readonly Mailbox[] }
  /** Retrieve the current state of a mailbox. */
  'GET /mailboxes/{mailboxName}': { args: { mailboxName: string }; answer: Mailbox }
  /** Change the state of a mailbox. (Note - implicitly creates the mailbox). */
  'PUT /mailboxes/{mailboxName}': { args: { mailboxName: string; oldMessages: number; newMessages: number }; answer: undefined }
  /** Destroy a mailbox. */
  'DELETE /mailboxes/{mailboxName}': { args: { mailboxName: string }; answer: undefined }
  /** Get a playback's details. */
  'GET /playbacks/{playbackId}': { args: { playbackId: string }; answer: Playback }
  /** Stop a playback. */
  'DELETE /playbacks/{playbackId}': { args: { playbackId: string }; answer: undefined }
  /** Control a playback. */
  'POST /playbacks/{playbackId}/control': { args: { playbackId: string; operation: string }; answer: undefined }
  /** List recordings that are complete. */
  'GET /recordings/stored': { args: {}; answer: readonly StoredRecording[] }
  /** Get a stored recording's details. */
  'GET /recordings/stored/{recordingName}': { args: { recordingName: string }; answer: StoredRecording }
  /** Delete a stored recording. */
  'DELETE /recordings/stored/{recordingName}': { args: { recordingName: string }; answer: undefined }
  /** Get the file associated with the stored recording. */
  'GET /recordings/stored/{recordingName}/file': { args: { recordingName: string }; answer: unknown }
  /** Copy a stored recording. */
  'POST /recordings/stored/{recordingName}/copy': { args: { recordingName: string; destinationRecordingName: string }; answer: StoredRecording }
  /** List live recordings. */
  'GET /recordings/live/{recordingName}': { args: { recordingName: string }; answer: LiveRecording }
  /** Stop a live recording and discard it. */
  'DELETE /recordings/live/{recordingName}': { args: { recordingName: string }; answer: undefined }
  /** Stop a live recording and store it. */
  'POST /recordings/live/{recordingName}/stop': { args: { recordingName: string }; answer: undefined }
  /** Pause a live recording. */
  'POST /recordings/live/{recordingName}/pause': { args: { recordingName: string }; answer: undefined }
  /** Unpause a live recording. */
  'DELETE /recordings/live/{recordingName}/pause': { args: { recordingName: string }; answer: undefined }
  /** Mute a live recording. */
  'POST /recordings/live/{recordingName}/mute': { args: { recordingName: string }; answer: undefined }
  /** Unmute a live recording. */
  'DELETE /recordings/live/{recordingName}/mute': { args: { recordingName: string }; answer: undefined }
  /** List all sounds. */
  'GET /sounds': { args: { lang?: string; format?: string }; answer: readonly Sound[] }
  /** Get a sound's details. */
  'GET /sounds/{soundId}': { args: { soundId: string }; answer: Sound }
}
