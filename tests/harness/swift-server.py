"""Starts OpenStack Swift with its S3 API: one of each server, one device, in a folder of its own.

Arguments: folder, S3 port, access key, secret. Ends with its standard input.
"""

import os
import signal
import socket
import sys

from swift.common.ring import RingBuilder
from swift.common.utils import set_swift_dir
from swift.common.wsgi import run_wsgi

folder, port, access_key, secret = sys.argv[1:5]
servers = {"account": "account", "container": "container", "object": "object"}
user = os.environ.get("USER_NAME", "root")


def free_ports(count):
    """Different ones: all are held until the last is known."""
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = tests\nswift_hash_path_prefix = tests\n")
# Otherwise it reads /etc/swift/swift.conf, which no package brings.
set_swift_dir(folder)
os.makedirs(os.path.join(folder, "srv", "d1"), exist_ok=True)

common = f"""[DEFAULT]
bind_ip = 127.0.0.1
workers = 0
swift_dir = {folder}
devices = {folder}/srv
mount_check = false
disable_fallocate = true
user = {user}
log_level = CRITICAL
log_udp_host = 127.0.0.1
log_udp_port = 9
"""

configs = {}
for (name, app), bind_port in zip(servers.items(), free_ports(len(servers))):
    builder = RingBuilder(part_power=4, replicas=1, min_part_hours=0)
    builder.add_dev(
        {"region": 1, "zone": 1, "ip": "127.0.0.1", "port": bind_port, "device": "d1", "weight": 1.0,
         "replication_ip": "127.0.0.1", "replication_port": bind_port, "meta": ""}
    )
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f"{name}.ring.gz"))
    configs[f"{name}-server"] = write(
        f"{name}.conf",
        common + f"bind_port = {bind_port}\n[pipeline:main]\npipeline = {name}-server\n"
        f"[app:{name}-server]\nuse = egg:swift#{app}\n",
    )

configs["proxy-server"] = write(
    "proxy.conf",
    common
    + f"""bind_port = {port}
[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
check_bucket_owner = false
[filter:tempauth]
use = egg:swift#tempauth
user_{access_key.replace(":", "_")} = {secret} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
""",
)

children = []
for name, path in configs.items():
    child = os.fork()
    if child == 0:
        os.setsid()
        sys.exit(run_wsgi(path, name))
    children.append(child)

print("started", flush=True)
sys.stdin.read()
for child in children:
    os.killpg(child, signal.SIGKILL)
