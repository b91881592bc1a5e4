# SPDX-License-Identifier: Apache-2.0
"""YAML as the model reader and editors see it."""
import re

import yaml


class Loader(yaml.SafeLoader):
    """YAML 1.2's core schema: on, off, yes and y are texts."""


Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag.endswith((":null", ":int", ":float"))]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
