import type { FeedPayload, ImagePayload } from '@doorplate/ahp-manifest/messages'
import { expect, expectTypeOf, it } from 'vitest'
import * as client from '../../src/client.js'
import type {
  AcceptedReply,
  AnswerReply,
  FinalReply,
  Reply,
  Session,
  Site,
  UntrustedText,
} from '../../src/client.js'

it('exports what the README promises, and nothing else', () => {
  expect(Object.keys(client).toSorted()).toEqual([
    'ConverseError',
    'createCallbackReceiver',
    'isConverseError',
    'visit',
  ])
})

it('tells replies apart by their status, and payloads by their type', () => {
  expectTypeOf<Reply['status']>().toEqualTypeOf<'success' | 'clarification_needed' | 'accepted' | 'error'>()
  expectTypeOf<FinalReply['status']>().toEqualTypeOf<
    'success' | 'clarification_needed' | 'error' | 'failed' | 'expired'
  >()
  expectTypeOf<
    Extract<AnswerReply, { contentType: 'application/feed' }>['payload']
  >().toEqualTypeOf<FeedPayload>()
  expectTypeOf<
    Extract<AnswerReply, { contentType: 'media/image' }>['payload']
  >().toEqualTypeOf<ImagePayload>()
  expectTypeOf<Extract<AnswerReply, { contentType: 'text/answer' }>['payload']>().toEqualTypeOf<undefined>()
  const narrow = (reply: AnswerReply): FeedPayload | undefined =>
    reply.contentType === 'application/feed' ? reply.payload : undefined
  expectTypeOf(narrow).returns.toEqualTypeOf<FeedPayload | undefined>()
})

it('marks what a site wrote, and lets it be used as text', () => {
  expectTypeOf<AnswerReply['answer']>().toEqualTypeOf<UntrustedText>()
  expectTypeOf<UntrustedText>().toExtend<string>()
  expectTypeOf<string>().toExtend<UntrustedText>()
})

it('asks with or without a session', () => {
  expectTypeOf<Site['ask']>().returns.resolves.toEqualTypeOf<Reply>()
  expectTypeOf<Session['ask']>().returns.resolves.toEqualTypeOf<Reply>()
  expectTypeOf<AcceptedReply['wait']>().returns.resolves.toEqualTypeOf<FinalReply>()
  expectTypeOf<Site['session']>().returns.toEqualTypeOf<Session>()
})
