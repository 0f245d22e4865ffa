import { createHash } from 'node:crypto'

import * as oidc from 'openid-client'

import type { Database } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { bool, row, text } from '../../kit/row.ts'
import { SYSTEM } from './access.reads.ts'
import type { Identity } from './identities.service.ts'

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** The address of this product, where the provider sends people back to. */
  publicUrl: string
  /** How long the provider may take for one answer; nothing of ours waits for it but the one who asked. */
  answerSeconds?: number
}
const STATE_MINUTES = 10
const ANSWER_SECONDS = 5
const away = () => new Refused('企业登录服务暂时连接不上，请用账号密码登录', 503, 503, null, 5)
/** It did not answer; anything else is its answer. */
const isAway = (error: unknown): boolean =>
  ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes((error as { code?: string }).code ?? '') ||
  error instanceof TypeError
/** A sign-in belongs to the browser that began it: a link with somebody else's code and state opens nothing. */
const hashed = (state: string, browser: string) =>
  createHash('sha256').update(`${state}.${browser}`).digest('base64url')

/** The company's own sign-in (OpenID Connect, code flow with PKCE). State, nonce and verifier stay on the server and are used once. */
export function oidcProvider(settings: OidcSettings) {
  let known: Promise<oidc.Configuration> | undefined
  const redirect = `${settings.publicUrl.replace(/\/$/, '')}/`
  const provider = () => {
    const issuer = new URL(settings.issuer)
    // Plain http is for a provider on this machine only.
    const local = issuer.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(issuer.hostname)
    known ??= oidc.discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
      timeout: settings.answerSeconds ?? ANSWER_SECONDS,
      ...(local ? { execute: [oidc.allowInsecureRequests] } : {}),
    })
    known.catch(() => (known = undefined))
    return known.catch(() => {
      throw away()
    })
  }

  return {
    /** The address to send the browser to. */
    async begin(db: Database, browser: string, now: Date): Promise<string> {
      const config = await provider()
      const verifier = oidc.randomPKCECodeVerifier()
      const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
      await db.tx(SYSTEM, async (tx) => {
        tx.send('oidc.old', 'DELETE FROM oidc_states WHERE expires_at <= $1', [now])
        tx.send(
          'oidc.begin',
          `INSERT INTO oidc_states (state, nonce, verifier, expires_at)
           VALUES ($1, $2, $3, $4::timestamptz + interval '${STATE_MINUTES} minutes')`,
          [hashed(state, browser), nonce, verifier, now],
        )
      })
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirect,
        scope: 'openid profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      }).href
    },
    /** The person whom the provider vouches for. */
    async finish(
      db: Database,
      { code, state, browser }: { code: string; state: string; browser: string },
      now: Date,
    ): Promise<Identity> {
      // By itself and first: whatever comes of it, this state has been used.
      const { rows } = await db.tx(SYSTEM, (tx) =>
        tx.query(
          'oidc.finish',
          row({ nonce: text, verifier: text, fresh: bool }),
          'DELETE FROM oidc_states WHERE state = $1 RETURNING nonce, verifier, expires_at > $2 AS fresh',
          [hashed(state, browser), now],
        ),
      )
      const begun = rows[0]
      if (!begun?.fresh) throw new Refused('登录已超时，请重新点“企业账号登录”', 400)
      const back = new URL(redirect)
      back.searchParams.set('code', code)
      back.searchParams.set('state', state)
      const iss = (await provider()).serverMetadata()
      if (iss.authorization_response_iss_parameter_supported) back.searchParams.set('iss', iss.issuer)
      try {
        const tokens = await oidc.authorizationCodeGrant(await provider(), back, {
          pkceCodeVerifier: begun.verifier,
          expectedState: state,
          expectedNonce: begun.nonce,
        })
        const claims = tokens.claims()
        if (!claims?.sub) throw new Error('no subject')
        return {
          issuer: claims.iss,
          subject: claims.sub,
          name: String(claims.preferred_username ?? claims.sub),
        }
      } catch (error) {
        if (isAway(error)) throw away()
        throw new Refused('企业登录服务没有确认您的身份，请重试', 400)
      }
    },
  }
}
export type OidcProvider = ReturnType<typeof oidcProvider>
