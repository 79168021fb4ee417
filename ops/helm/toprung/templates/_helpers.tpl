{{- define "toprung.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "toprung.secretName" -}}
{{- .Values.existingSecret | default (include "toprung.fullname" .) -}}
{{- end -}}

{{/* Takes a dict of root and role. */}}
{{- define "toprung.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "toprung.labels" -}}
{{ include "toprung.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | quote }}
{{- end -}}

{{/* The pod of a role, from a dict of root, role, environment and, for the worker, backups. */}}
{{- define "toprung.pod" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "toprung.selector" . | nindent 4 }}
  annotations:
    # A change of settings restarts the pods.
    checksum/settings: {{ list $values.settings $values.secrets | toJson | sha256sum }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: 60
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "toprung.selector" . | nindent 10 }}
  containers:
    - name: {{ .role }}
      image: {{ printf "%s:%s" $values.image.repository ($values.image.tag | default .root.Chart.AppVersion) | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: [start, --role, {{ .role }}]
      {{- with .port }}
      ports:
        - name: http
          containerPort: {{ . }}
      {{- end }}
      {{- if .allSettings }}
      envFrom:
        - configMapRef:
            name: {{ include "toprung.fullname" .root }}
        - secretRef:
            name: {{ include "toprung.secretName" .root }}
      {{- end }}
      env:
        {{- toYaml .environment | nindent 8 }}
      startupProbe:
        exec:
          command: [node, /app/src/cli/main.js, health, --live]
        periodSeconds: 5
        timeoutSeconds: 10
        failureThreshold: 24
      readinessProbe:
        exec:
          command: [node, /app/src/cli/main.js, health]
        periodSeconds: 15
        timeoutSeconds: 10
      livenessProbe:
        exec:
          command: [node, /app/src/cli/main.js, health, --live]
        periodSeconds: 30
        timeoutSeconds: 10
        failureThreshold: 4
      {{- if .port }}
      lifecycle:
        preStop:
          # Services leave the pod out before it stops.
          exec:
            command: [node, -e, 'setTimeout(() => {}, 8000)']
      {{- end }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      resources:
        {{- toYaml (get $values .role).resources | nindent 8 }}
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        - name: data
          mountPath: /data
        {{- if .backups }}
        - name: backups
          mountPath: /backups
        {{- end }}
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: 256Mi
    - name: data
      emptyDir: {}
    {{- with .backups }}
    - name: backups
      persistentVolumeClaim:
        claimName: {{ . }}
    {{- end }}
{{- end -}}
