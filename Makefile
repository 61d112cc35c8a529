# The everyday commands. CMake and ninja do the work; `make` alone builds.
BUILD := build
JOBS := $(shell nproc)
CLANG_FORMAT ?= clang-format
# The default of Debian 12, clang-tidy 14, does not know std::source_location.
CLANG_TIDY ?= clang-tidy-22
SOURCES = $(shell git ls-files '*.h' '*.cpp' '*.cuh' ':!test/Emit') # there: printed

.PHONY: all bootstrap configure demo test test-all sanitize release bench format format-check tidy clean

all: configure
	@ninja -C $(BUILD) -j$(JOBS)

configure: bootstrap
	@test -f $(BUILD)/build.ninja || cmake -G Ninja -S . -B $(BUILD) --log-level=WARNING

bootstrap:
	@scripts/bootstrap.sh

# A tour of the tool, and no more built than it needs; writes pictures and sources to out/.
demo: configure
	@ninja -C $(BUILD) -j$(JOBS) sluice
	@scripts/demo.sh $(BUILD)

# Every unit test and every command-line test except the slow ones: about 13 minutes of
# two cores once built.
test: all
	@scripts/test.py $(BUILD)

# Also the slow tests, a mutation campaign of about ten minutes, then the sanitizer build.
test-all: all
	@scripts/test.py $(BUILD) --all
	@scripts/campaign.py $(BUILD)
	@$(MAKE) --no-print-directory sanitize

# The unit tests with AddressSanitizer and UndefinedBehaviorSanitizer in our own code. LLVM's inline
# allocators poison memory that the packaged, uninstrumented library does not clean.
sanitize: bootstrap
	@test -f $(BUILD)-sanitize/build.ninja || cmake -G Ninja -S . -B $(BUILD)-sanitize \
	  -DSLUICE_SANITIZE=ON --log-level=WARNING
	@ninja -C $(BUILD)-sanitize -j$(JOBS) unit-tests
	@ASAN_OPTIONS=allow_user_poisoning=0 scripts/test.py $(BUILD)-sanitize --unit-only

# One program that needs only glibc, and libsluice_rt.so beside it: build-release/bin.
release: bootstrap
	@test -f $(BUILD)-release/build.ninja || cmake -G Ninja -S . -B $(BUILD)-release \
	  -DSLUICE_STATIC=ON --log-level=WARNING
	@ninja -C $(BUILD)-release -j$(JOBS) release
	@scripts/check-release.sh $(BUILD)-release/bin

bench: all
	@scripts/bench.sh $(BUILD)

format:
	@$(CLANG_FORMAT) -i $(SOURCES)

format-check:
	@$(CLANG_FORMAT) --dry-run -Werror $(SOURCES)

# Without what only g++ knows, and each file with what it includes itself.
tidy: bootstrap
	@cmake -G Ninja -S . -B $(BUILD)-tidy -DSLUICE_TOGETHER=OFF --log-level=WARNING
	@ninja -C $(BUILD)-tidy -j$(JOBS) SluiceDialectIncGen
	@mkdir -p $(BUILD)-tidy/tidy
	@sed -E 's/-fvect-cost-model=dynamic//; s/-Winvalid-pch +-include [^ ]+//; s/--param=[^ ]+//; s/-Wno-maybe-uninitialized//' \
	  $(BUILD)-tidy/compile_commands.json >$(BUILD)-tidy/tidy/compile_commands.json
	@git ls-files 'lib/*.cpp' 'tools/*.cpp' 'kernels/*.cpp' | \
	  xargs -P $(JOBS) -n 4 $(CLANG_TIDY) -p $(BUILD)-tidy/tidy --quiet

clean:
	@rm -rf $(BUILD) $(BUILD)-release $(BUILD)-sanitize $(BUILD)-tidy out
