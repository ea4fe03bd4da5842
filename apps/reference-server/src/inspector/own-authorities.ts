import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'

/** The authorities by which this server knows itself: besides the usual ones its certificate, where it has signed that itself. */
export function ownAuthorities(cert: string | undefined): readonly string[] | undefined {
  if (cert === undefined) return undefined
  const certificate = new X509Certificate(cert)
  return certificate.checkIssued(certificate) ? [cert, ...rootCertificates] : undefined
}
